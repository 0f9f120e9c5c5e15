// Damaged catalogue bytes are refused, never a crash.
#include "catalogue/catalogue.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)kvseats::catalogue::read_catalogue(bytes);
  return 0;
}
