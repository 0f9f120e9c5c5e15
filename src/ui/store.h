#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "scenario/byhand.h"
#include "scenario/codec.h"
#include "scenario/compare.h"
#include "scenario/pins.h"
#include "scenario/present.h"
#include "scenario/report.h"
#include "scenario/scenario.h"
#include "units/whole.h"

/// The state of an App: one scenario, its answer, and the way back.
///
/// Views read `answer()` and push actions; `apply` is the only way anything changes. An action
/// whose text is refused changes nothing and is remembered as `trouble()` until the field is edited
/// again.
namespace kvseats::ui {

/// One input as text, as on a command line. Empty text: back to the default. A repeatable key
/// appends, so a list is cleared with an empty text first.
struct Edit {
  std::string_view key;
  std::string text;
};

struct Action {
  enum class Kind : std::uint8_t {
    kEdit,
    kRevert,  ///< takes the changes of `gesture` back, as if it had never begun
    kUndo,
    kRedo,
    kPin,    ///< puts the scenario of the query `pin` aside (scenario/pins.h)
    kUnpin,  ///< takes it back
    kLoad,   ///< another scenario in the place of this one; page keys stay
  };
  Kind kind = Kind::kEdit;
  std::vector<Edit> edits;  ///< all or none of them are taken
  /// Page keys as a step of undo (`range`, `unit` …); an empty text removes the key.
  std::vector<Edit> page;
  /// A hand is still dragging or typing: neighbours of the same non-zero number are one step of
  /// undo, and the page replaces its history entry instead of adding one.
  std::uint32_t gesture = 0;
  /// Half typed: refused text is not remembered as trouble.
  bool tentative = false;
  std::string pin;   ///< kPin, kUnpin: a query
  std::string load;  ///< kLoad: a query
};

/// What is shown, made once per change.
struct Answer {
  scenario::Report report;
  scenario::Figures figures;
  scenario::Sentence sentence;
  chart::BarChart allocation;            ///< one request, by hand and by the engine
  chart::BarChart gpus;                  ///< every kind of GPU
  std::string command;                   ///< the engine's command line
  chart::BarChart levers;                ///< every saving so far; only in the view that shows it
  chart::BarChart next;                  ///< every change that helps
  std::vector<scenario::HandStep> hand;  ///< the ledger as arithmetic; in `byhand` and `memory`
  scenario::Comparison compared;         ///< with what is pinned; only in the view `compare`
  chart::BarChart memory;
  std::vector<std::string> pinned;      ///< canonical queries (`Store::pins`)
  std::vector<scenario::Overlay> pins;  ///< the curve of each, in their order
  std::uint32_t revision = 0;           ///< grows with every change
};

/// A refused text: which field, what was typed, why.
struct Trouble {
  std::string key;
  std::string typed;
  units::Diagnostic why;
};

class Store {
 public:
  explicit Store(std::span<const std::byte> catalogue);

  /// Replaces everything, as a link does. Page keys that are not ours are kept for `query()`.
  void load(std::string_view query);
  /// Replaces the scenario only; page keys stay.
  void load_over(std::string_view query);

  /// The same for a scenario that is pinned; the present one takes its place among the pins.
  void change_places(std::string_view query);

  /// True if the scenario or its pins changed.
  bool apply(const Action& action);

  [[nodiscard]] const scenario::Scenario& scenario() const { return now_; }
  [[nodiscard]] const Answer& answer() const { return answer_; }
  [[nodiscard]] const catalogue::Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const Trouble& trouble() const { return trouble_; }
  void forget_trouble() { trouble_ = {}; }
  /// The curve of another deployment that is pointed at, evaluated once while it stays the same.
  [[nodiscard]] scenario::Overlay ghost(const std::string& query);
  /// Diagnostics of the newest input: the answer's own, or those of an input that has no answer.
  [[nodiscard]] const units::Diagnostics& diagnostics() const { return diagnostics_; }
  /// Not empty: the catalogue could not be read, and there is nothing to show.
  [[nodiscard]] const std::string& broken() const { return broken_; }

  /// The output's part of a request of `tokens`, in the proportion that the request had when this
  /// drag began (so that a drag there and back changes nothing).
  [[nodiscard]] std::uint64_t output_share(std::uint64_t tokens, std::uint32_t gesture);

  [[nodiscard]] bool can_undo() const { return !past_.empty(); }
  [[nodiscard]] bool can_redo() const { return !future_.empty(); }

  /// Page keys (`view`, `unit` …) as pairs; `set_page` with empty text removes one, and is no step
  /// of undo.
  [[nodiscard]] std::string_view page(std::string_view key) const;
  void set_page(std::string_view key, std::string_view text);

  /// The scenarios put aside, as canonical queries. Undo and redo go over them too.
  [[nodiscard]] std::vector<std::string> pins() const { return scenario::pins(page_); }

  /// Canonical text of scenario, page keys and unknown keys.
  [[nodiscard]] std::string query() const;
  [[nodiscard]] units::SizeUnit unit() const;

 private:
  /// What undo brings back; `view`, where one looks, stays.
  struct Moment {
    scenario::Scenario scenario;
    scenario::PageKeys page;
  };
  /// A pinned query and its answer, kept as long as it is pinned.
  struct Pinned {
    std::string query;
    scenario::Report report;
  };
  bool edit(const Action& action);
  bool pin(const Action& action);
  bool revert(std::uint32_t gesture);
  bool travel(std::vector<Moment>& from, std::vector<Moment>& to);
  static void push(std::vector<Moment>& list, Moment moment);
  [[nodiscard]] Moment moment() const { return {now_, page_}; }
  void restore(Moment moment);
  void follow_pins();
  void take(scenario::Decoded decoded);
  [[nodiscard]] scenario::Report fall_back();
  void evaluate();
  void answer_with(scenario::Report report);
  void present();

  catalogue::Catalogue catalogue_;
  std::string broken_;
  scenario::Scenario now_;
  scenario::PageKeys page_;
  scenario::PageKeys unknown_;
  std::vector<Moment> past_;
  std::vector<Moment> future_;
  std::vector<Pinned> pinned_;
  Pinned ghost_;
  std::uint32_t gesture_ = 0;
  std::uint32_t share_gesture_ = 0;
  units::Ratio share_{0, 1};  // output / (prompt + output) when the drag began
  Answer answer_;
  Trouble trouble_;
  units::Diagnostics link_diagnostics_;
  units::Diagnostics diagnostics_;
};

}  // namespace kvseats::ui
