#include "plan/convolve.h"

#include <algorithm>

namespace kvseats::plan {
namespace {

// So small that 2^20 of them change no digit anybody sees; keeps windows short and numbers normal.
constexpr double kDropped = 1e-30;

void trim(Law& law) {
  const auto kept = [](double p) { return p >= kDropped; };
  const auto begin = std::find_if(law.p.begin(), law.p.end(), kept);
  law.first += static_cast<std::uint64_t>(begin - law.p.begin());
  law.p.erase(law.p.begin(), begin);
  while (!law.p.empty() && !kept(law.p.back())) law.p.pop_back();
}

}  // namespace

double Law::up_to(std::uint64_t value) const {
  double sum = 0;
  for (std::size_t i = 0; i < p.size() && first + i <= value; ++i) sum += p[i];
  return std::min(sum, 1.0);
}

Law nothing() {
  return {.first = 0, .p = {1.0}};
}

Law convolved(const Law& a, const Law& b, std::uint64_t most) {
  Law out;
  out.first = a.first + b.first;
  if (a.p.empty() || b.p.empty() || out.first > most) return out;
  const std::size_t room = static_cast<std::size_t>(
      std::min<std::uint64_t>(most - out.first + 1, a.p.size() + b.p.size() - 1));
  out.p.assign(room, 0.0);
  for (std::size_t i = 0; i < a.p.size() && i < room; ++i) {
    const double factor = a.p[i];
    if (factor == 0) continue;
    const std::size_t end = std::min(b.p.size(), room - i);
    for (std::size_t j = 0; j < end; ++j) out.p[i + j] += factor * b.p[j];
  }
  trim(out);
  return out;
}

Law power(const Law& law, std::uint64_t n, std::uint64_t most) {
  Law out = nothing();
  Law square = law;
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) out = convolved(out, square, most);
    if (n > 1) square = convolved(square, square, most);
  }
  return out;
}

}  // namespace kvseats::plan
