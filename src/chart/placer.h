#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chart/layout.h"
#include "chart/places.h"
#include "chart/text_box.h"

/// The label solver: internal to `lay_out`.
namespace kvseats::chart {

/// Thin strokes may be interrupted by a label: iso-lines, and curves that are not the strong one.
[[nodiscard]] bool may_interrupt(const Stroke& stroke);

/// What a label hangs on.
struct Anchor {
  enum class Kind : std::uint8_t {
    kPoint,  ///< beside a mark of `radius`
    kLine,   ///< along its strokes, on either side
    kRule,   ///< along one straight stroke, from `at` to `to`
  };
  Kind kind = Kind::kPoint;
  Px at;
  double radius = 0.0;
  Px to;
};

struct LabelRequest {
  Part part = Part::kNone;
  std::uint32_t index = 0;
  std::uint32_t slot = 0;
  const Label* label = nullptr;  ///< never null when placed
  Ink ink = Ink::kSoft;
  Anchor anchor;
};

/// Places labels one after the other, most important first, each at the first free of a list of
/// places ordered by how well they read. "Free" means inside `bounds` and clear of every stroke,
/// mark and label so far.
class Placer {
 public:
  /// `strokes` are borrowed until the last `place`. Thin ones may be interrupted.
  Placer(const Measure& measure, double size, const Rect& bounds,
         const std::vector<Stroke>& strokes);

  void avoid(const Rect& box, Part part, std::uint32_t index);

  /// Tries where the label was before (`previous`, may be null, `moved`: how far its anchor went),
  /// then every place and form. False: no place at all.
  [[nodiscard]] bool place(const LabelRequest& request, const PlacedLabel* previous, Px moved,
                           PlacedLabel& out);

 private:
  /// What a label may come close to.
  enum class Manners : std::uint8_t {
    kStrict,     ///< clear of everything
    kInterrupt,  ///< may interrupt thin strokes
  };
  struct Box {
    Rect rect;
    Part part;
    std::uint32_t index;
  };
  /// Of one stroke, to pass over those that are far from a box.
  struct Extent {
    Rect around;
    bool falls;  ///< runs right and down only, as every curve of requests does
  };

  [[nodiscard]] bool is_free(const Rect& box, double clearance, const LabelRequest& self,
                             Manners manners) const;
  [[nodiscard]] bool leaders_clear(const Rect& box) const;
  [[nodiscard]] bool clear_of(const Stroke& stroke, const Rect& box, double clearance,
                              const LabelRequest& self) const;
  [[nodiscard]] bool touches_stroke(const Rect& box, const Stroke& stroke) const;
  [[nodiscard]] const Stroke* longest_of(const LabelRequest& self) const;
  [[nodiscard]] bool near_own_line(const Rect& box, const LabelRequest& self) const;
  [[nodiscard]] bool leader_free(Px from, Px to, const LabelRequest& self, bool cross) const;
  void gather(const LabelRequest& request, const TextBlock& block, bool on_curve);
  [[nodiscard]] bool try_places(const LabelRequest& request, const TextBlock& block,
                                Manners manners, PlacedLabel& out);
  [[nodiscard]] bool try_on_curve(const LabelRequest& request, const TextBlock& block,
                                  PlacedLabel& out);
  [[nodiscard]] bool free_on_curve(const Rect& box, const LabelRequest& self) const;
  [[nodiscard]] bool place_beside_line(const LabelRequest& request, PlacedLabel& out);
  [[nodiscard]] bool place_beside_point(const LabelRequest& request, PlacedLabel& out);
  [[nodiscard]] bool place_again(const LabelRequest& request, const PlacedLabel& previous, Px moved,
                                 PlacedLabel& out);
  [[nodiscard]] bool lead_again(const LabelRequest& request, const PlacedLabel& previous,
                                PlacedLabel& out);
  void lead(const LabelRequest& request, Px from, Px to, PlacedLabel& out);
  [[nodiscard]] bool try_leader(const LabelRequest& request, const TextBlock& block, bool cross,
                                PlacedLabel& out);
  [[nodiscard]] bool try_leader_from(Px from, const LabelRequest& request, const TextBlock& block,
                                     bool cross, PlacedLabel& out);
  void accept(const LabelRequest& request, const TextBlock& block, const Place& at,
              PlacedLabel& out);

  Measure measure_;
  double size_;
  Rect bounds_;
  const std::vector<Stroke>& strokes_;
  std::vector<Extent> extents_;  // of each stroke
  std::vector<Box> boxes_;
  std::vector<Px> leaders_;  // pairs of points
  std::vector<Place> candidates_;
};

}  // namespace kvseats::chart
