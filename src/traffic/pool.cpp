#include "traffic/pool.h"

namespace kvseats::traffic {

Pool::Pool(std::uint64_t capacity) : capacity_(capacity) {
  if (capacity > kMostListed) return;
  const auto size = static_cast<std::uint32_t>(capacity);
  owners_.assign(size, kNobody);
  next_.resize(size);
  for (std::uint32_t i = size; i-- > 0;) {
    next_[i] = first_free_;
    first_free_ = i;
  }
}

bool Pool::take(Owner owner, std::uint64_t units) {
  if (units > left()) return false;
  if (owner >= held_.size()) {
    held_.resize(std::size_t{owner} + 1, 0);
    if (!owners_.empty()) first_.resize(held_.size(), kNobody);
  }
  held_[owner] += units;
  used_ += units;
  if (owners_.empty()) return true;
  for (; units > 0; --units) {
    const std::uint32_t unit = first_free_;
    first_free_ = next_[unit];
    owners_[unit] = owner;
    next_[unit] = first_[owner];
    first_[owner] = unit;
  }
  return true;
}

void Pool::give_back(Owner owner) {
  if (owner >= held_.size()) return;
  used_ -= held_[owner];
  held_[owner] = 0;
  if (owners_.empty()) return;
  std::uint32_t unit = first_[owner];
  first_[owner] = kNobody;
  while (unit != kNobody) {
    const std::uint32_t after = next_[unit];
    owners_[unit] = kNobody;
    next_[unit] = first_free_;
    first_free_ = unit;
    unit = after;
  }
}

}  // namespace kvseats::traffic
