// A shader program made of two bodies from `shaders/`, rebuilt by itself after context loss.
//
//   gfx::Program program("shade.vert", "shade.frag", "#define BANDS 4\n");
//   if (program.use(context)) context.gl().Uniform1f(program.uniform(context, "gamma"), 1.6F);
//
// A body has no version line and no precision line; the header of the context's dialect and
// `defines` are put before it, followed by `#line 1`, so that messages count lines of the file.
// Failure: `use` is false and `error` says "shade.frag: …compiler's words…"; a failed program is
// not tried again in the same context.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gfx/context.h"

namespace kvseats::gfx {

// What comes before a body.
std::string shader_header(Dialect dialect, std::string_view defines);

class Program {
 public:
  Program(std::string_view vertex_file, std::string_view fragment_file, std::string_view defines);

  // Hands the sources to the driver, if this context has not seen them, and waits for nothing.
  void begin(const Context& context);
  // Makes it current, beginning it first if nobody has. Only the first call waits for the driver.
  // False if the program is of no use here: `error` says why.
  bool use(Context& context);
  // Location of a uniform, -1 if the program has none of that name (setting -1 is harmless).
  int uniform(const Context& context, const char* name);
  // Frees the GL object if it belongs to the living context.
  void free(const Context& context);

  const std::string& error() const { return error_; }

 private:
  struct Uniform {
    const char* name;
    int location;
  };
  GlName compile(const Context& context, GlEnum stage, std::string_view file);
  void finish(const Context& context);

  std::string vertex_file_;
  std::string fragment_file_;
  std::string defines_;
  std::string error_;
  GlName name_ = 0;
  std::array<GlName, 2> shaders_{};  // vertex, fragment, until they have been asked for errors
  std::uint32_t generation_ = 0;
  std::vector<Uniform> uniforms_;
};

}  // namespace kvseats::gfx
