// Any text is read as lengths, as a list and as a CSV: a distribution comes out, or a diagnostic.
#include "scenario/lengths.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace kvseats;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find_first_of(",;\n"));
  for (const scenario::LengthsQuestion& question :
       {scenario::LengthsQuestion{}, scenario::LengthsQuestion{.column = std::string(first)},
        scenario::LengthsQuestion{.prompt = std::string(first), .output = std::string(first)}}) {
    const scenario::PastedLengths pasted = scenario::read_pasted(text, question);
    if (!pasted.ok && pasted.diagnostics.empty()) __builtin_trap();
    for (const scenario::LengthsPart& part : pasted.parts) {
      // What goes into a link can be read again, and the median is one of the lengths.
      if (!traffic::parse_lengths(part.text)) __builtin_trap();
      if (part.lengths.quantile(50) > part.lengths.longest()) __builtin_trap();
      (void)scenario::lengths_chart(part);
    }
    (void)scenario::to_json(pasted);
    (void)scenario::to_text(pasted);
  }
  (void)traffic::parse_lengths(text);
  return 0;
}
