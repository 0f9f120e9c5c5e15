#include "traffic/little.h"

#include <cmath>

#include "units/text.h"

namespace kvseats::traffic {
namespace {

constexpr double kNanoseconds = 1e9;

// Up to `decimals` digits, without trailing zeros.
std::string brief(double x, int decimals) {
  std::string text = units::fixed(x, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

AtOnce finished(double mean, const std::string& factors) {
  AtOnce out;
  out.mean = mean;
  out.requests = rounded_up(mean);
  const bool whole = std::fabs(mean - std::floor(mean + 0.5)) <= mean * 1e-12;
  out.arithmetic = factors + " = " + (whole ? "" : brief(mean, 2) + ", so ") +
                   units::grouped(out.requests) + " at once";
  return out;
}

std::string people_text(std::uint64_t people) {
  return units::grouped(people) + (people == 1 ? " person" : " people");
}

}  // namespace

std::uint64_t rounded_up(double mean) {
  constexpr double kMost = 1e15;
  return static_cast<std::uint64_t>(std::fmin(std::ceil(mean - mean * 1e-12), kMost));
}

std::string seconds_text(std::uint64_t ns) {
  return brief(static_cast<double>(ns) / kNanoseconds, 2) + " s";
}

AtOnce at_once(std::uint64_t people, double active) {
  return finished(static_cast<double>(people) * active,
                  people_text(people) + " × " + brief(active * 100, 2) + " %");
}

AtOnce at_once(double per_second, std::uint64_t in_system_ns) {
  return finished(per_second * (static_cast<double>(in_system_ns) / kNanoseconds),
                  brief(per_second, 3) + " requests/s × " + seconds_text(in_system_ns));
}

AtOnce at_once(std::uint64_t people, std::uint64_t in_system_ns, std::uint64_t think_ns) {
  const double inside = static_cast<double>(in_system_ns);
  const double round = inside + static_cast<double>(think_ns);
  const double mean = round > 0 ? static_cast<double>(people) * inside / round : 0;
  return finished(mean, people_text(people) + " × " + seconds_text(in_system_ns) + " ÷ (" +
                            seconds_text(in_system_ns) + " + " + seconds_text(think_ns) + ")");
}

}  // namespace kvseats::traffic
