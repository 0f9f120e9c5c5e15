#pragma once

#include <cstdint>
#include <vector>

/// The pool of one rank while requests come and go: how much is held, and, where it has few enough
/// units to list, which unit belongs to whom.
///
/// Units are the rank's (engine/cost.h): blocks, cells or bytes. A pool of at most `kMostListed`
/// units keeps an owner for each; a larger one (bytes) counts only. Freed units are handed out
/// again last freed first.
namespace kvseats::traffic {

/// 0 owns the shared prefix; requests are 1, 2, …
using Owner = std::uint32_t;
inline constexpr Owner kShared = 0;
inline constexpr Owner kNobody = UINT32_MAX;

class Pool {
 public:
  static constexpr std::uint64_t kMostListed = std::uint64_t{1} << 20;

  explicit Pool(std::uint64_t capacity);

  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t left() const { return capacity_ - used_; }
  [[nodiscard]] std::uint64_t held_by(Owner owner) const {
    return owner < held_.size() ? held_[owner] : 0;
  }
  /// Owner of each unit, `kNobody` where free; empty for a pool too large to list.
  [[nodiscard]] const std::vector<Owner>& owners() const { return owners_; }

  /// Hands `units` more to `owner`; false, and nothing changes, if fewer are left.
  [[nodiscard]] bool take(Owner owner, std::uint64_t units);
  /// Everything that `owner` holds is free again.
  void give_back(Owner owner);

 private:
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  std::vector<std::uint64_t> held_;   ///< by owner
  std::vector<Owner> owners_;         ///< by unit
  std::vector<std::uint32_t> next_;   ///< by unit: the next of the same owner, or of the free ones
  std::vector<std::uint32_t> first_;  ///< by owner
  std::uint32_t first_free_ = kNobody;
};

}  // namespace kvseats::traffic
