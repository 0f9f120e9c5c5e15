// What Dear ImGui's core links but this program never uses, as small as it can be: together 20 KB
// brotli of the page. Tables, columns (web only) and settings files do nothing; text is formatted
// without floating-point numbers (our numbers are written by room `units`).
#include <cstdarg>
#include <cstddef>

#include "imgui.h"
#include "imgui_internal.h"

namespace {

// Characters into a buffer of limited size, counting those that had no room too.
struct Writer {
  char* buffer;
  std::size_t size;
  std::size_t length = 0;

  void put(char c) {
    if (buffer != nullptr && length + 1 < size) buffer[length] = c;
    ++length;
  }
  void put_text(const char* text, int most) {
    if (text == nullptr) text = "(null)";
    for (int i = 0; i != most && text[i] != '\0'; ++i) put(text[i]);
  }
  void put_number(unsigned long long value, unsigned base, int width, bool zeros) {
    char digits[24];
    int count = 0;
    do {
      const auto digit = static_cast<int>(value % base);
      digits[count++] = static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10);
      value /= base;
    } while (value != 0);
    for (; width > count; --width) put(zeros ? '0' : ' ');
    while (count > 0) put(digits[--count]);
  }
  int finish() {
    if (buffer == nullptr) return static_cast<int>(length);
    if (size == 0) return 0;
    if (length >= size) length = size - 1;
    buffer[length] = '\0';
    return static_cast<int>(length);
  }
};

int digits_of(const char*& at) {
  int number = 0;
  while (*at >= '0' && *at <= '9') number = number * 10 + (*at++ - '0');
  return number;
}

}  // namespace

// %s %c %d %i %u %x %X %p with width, leading zeros and precision of texts (also `.*`); a real
// number is written as its whole part.
int ImFormatStringV(char* buffer, std::size_t size, const char* format, va_list arguments) {
  Writer out{buffer, size};
  for (const char* at = format; *at != '\0'; ++at) {
    if (*at != '%') {
      out.put(*at);
      continue;
    }
    const bool zeros = *++at == '0';
    const int width = digits_of(at);
    int most = -1;
    if (*at == '.') most = *++at == '*' ? (++at, va_arg(arguments, int)) : digits_of(at);
    switch (*at) {
      case 's':
        out.put_text(va_arg(arguments, const char*), most);
        break;
      case 'c':
        out.put(static_cast<char>(va_arg(arguments, int)));
        break;
      case 'u':
        out.put_number(va_arg(arguments, unsigned), 10, width, zeros);
        break;
      case 'x':
      case 'X':
        out.put_number(va_arg(arguments, unsigned), 16, width, zeros);
        break;
      case 'p':
        out.put_number(reinterpret_cast<std::size_t>(va_arg(arguments, void*)), 16, width, zeros);
        break;
      case 'd':
      case 'i':
      case 'f':
      case 'g': {
        const long long value = *at == 'f' || *at == 'g'
                                    ? static_cast<long long>(va_arg(arguments, double))
                                    : va_arg(arguments, int);
        if (value < 0) out.put('-');
        out.put_number(static_cast<unsigned long long>(value < 0 ? -value : value), 10, width,
                       zeros);
        break;
      }
      case '\0':
        --at;
        break;
      default:
        out.put(*at);
        break;
    }
  }
  return out.finish();
}

int ImFormatString(char* buffer, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = ImFormatStringV(buffer, size, format, arguments);
  va_end(arguments);
  return length;
}

// Native linkers want every function that unused ones name; there the real file is compiled.
#ifdef __EMSCRIPTEN__
namespace ImGui {

void EndTable() {}
void TableGcCompactSettings() {}
void TableGcCompactTransientBuffers(ImGuiTable*) {}
void TableGcCompactTransientBuffers(ImGuiTableTempData*) {}
void TablePopBackgroundChannel() {}
void TablePopColumnChannel() {}
void TablePushBackgroundChannel() {}
void TablePushColumnChannel(int) {}
void TableSettingsAddSettingsHandler() {}
void EndColumns() {}
void PopColumnsBackground() {}
void PushColumnsBackground() {}

}  // namespace ImGui
#endif
