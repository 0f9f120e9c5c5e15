#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chart/scale.h"
#include "ui/kit.h"

/// The controls of the interface. Each draws itself into a rectangle, records itself under its
/// label, and says what was done to it; none of them changes anything.
namespace kvseats::ui {

enum class ButtonLook : std::uint8_t {
  kBordered,
  kPlain,  ///< words only; background when the pointer is over it
};

/// True when clicked, tapped or activated by key. `words` is drawn, `label` names it (empty: same).
bool button(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view words, ButtonLook look,
            std::string_view label = {});

struct FieldLook {
  std::string_view prefix = {};  ///< inside, left, soft: what the number is
  std::string_view note = {};    ///< inside, right, soft
  chart::Ink note_ink = chart::Ink::kSoft;
  bool numeric = false;
  bool quiet = false;  ///< the value shown is a default, not typed: soft ink
  bool bad = false;    ///< the text was refused
  bool bare = false;   ///< no frame until the pointer is over it
  bool right = false;  ///< text at the right end
};

struct FieldResult {
  bool changed = false;    ///< the person typed; `text` is the content now
  bool committed = false;  ///< Enter, Tab, or a click elsewhere
  bool cancelled = false;  ///< Escape: `text` is the content from before
  bool left = false;       ///< committed by leaving the page's field, not by Enter or Tab
  bool touched = false;    ///< it was changed at some time since editing began
  std::string text;
  std::uint32_t gesture = 0;
};

/// `shown` is drawn; `content` is what editing starts with.
FieldResult text_field(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
                       std::string_view shown, std::string_view content, const FieldLook& look);

/// A few choices side by side. The index now chosen, or -1 for no change.
int choice(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
           std::span<const std::string_view> words, int at);

/// A value on a line. The new value while it is dragged, clicked or stepped by key. `liked`: more
/// values that it snaps to.
std::optional<double> slider(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
                             const chart::Axis& axis, double value, std::string_view text);

/// One tab of a row; true when chosen.
bool tab(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view words, bool active);

/// A row of an open list.
struct PickRow {
  std::string value;
  std::string words;
  std::string note;
};

/// The closed form of a list, which a press opens or closes: true while it is open.
bool combo(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label, std::string_view words,
           std::string_view note);

/// The open list under `anchor`; `rows` are those that `kit.pick.filter` leaves. `search`: a field
/// above the rows for the filter; its placeholder, or empty. The index chosen, or -1. Call only
/// while `kit.pick.id == id`.
int pick_list(Kit& kit, ImGuiID id, const ImRect& anchor, std::string_view search,
              std::span<const PickRow> rows, std::string_view current);

}  // namespace kvseats::ui
