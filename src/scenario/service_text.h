#pragma once

#include <string>
#include <string_view>

/// A service as its `service=` text says it, part by part, for faces with a field for each: both
/// lengths may be distributions (traffic/lengths.h), and the text keeps them whole.
namespace kvseats::scenario {

struct ServiceText {
  std::string name, prompt, output, users;
  friend bool operator==(const ServiceText&, const ServiceText&) = default;
};

/// Of a text that was accepted (`Typed<Service>::text`): `chat:1000+p50=400/p95=900x100`.
[[nodiscard]] ServiceText service_text(std::string_view text);

/// The text again, without spaces around its parts. Checked when the key is set, not here.
[[nodiscard]] std::string joined(const ServiceText& service);

}  // namespace kvseats::scenario
