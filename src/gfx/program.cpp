#include "gfx/program.h"

#include <array>
#include <utility>

#include "embedded/shaders.h"

namespace kvseats::gfx {

namespace {

constexpr int kLogSize = 1024;

template <typename Getter>
std::string info_log(Getter getter, GlName object) {
  std::array<char, kLogSize> log{};
  GlSize length = 0;
  getter(object, kLogSize, &length, log.data());
  return std::string(log.data());
}

}  // namespace

std::string shader_header(Dialect dialect, std::string_view defines) {
  std::string header = dialect == Dialect::kEs300
                           ? "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                           : "#version 330 core\n";
  header += defines;
  header += "#line 1\n";
  return header;
}

Program::Program(std::string_view vertex_file, std::string_view fragment_file,
                 std::string_view defines)
    : vertex_file_(vertex_file), fragment_file_(fragment_file), defines_(defines) {}

GlName Program::compile(const Context& context, GlEnum stage, std::string_view file) {
  const Gl& gl = context.gl();
  const std::string header = shader_header(context.dialect(), defines_);
  const std::string_view body = embedded::shaders(file);
  const std::array<const char*, 2> text{header.c_str(), body.data()};
  const std::array<GlInt, 2> length{static_cast<GlInt>(header.size()),
                                    static_cast<GlInt>(body.size())};
  const GlName shader = gl.CreateShader(stage);
  gl.ShaderSource(shader, 2, text.data(), length.data());
  gl.CompileShader(shader);
  return shader;
}

void Program::begin(const Context& context) {
  if (generation_ == context.generation()) return;
  const Gl& gl = context.gl();
  error_.clear();
  uniforms_.clear();
  generation_ = context.generation();
  name_ = gl.CreateProgram();
  shaders_ = {compile(context, gl::kVertexShader, vertex_file_),
              compile(context, gl::kFragmentShader, fragment_file_)};
  for (const GlName shader : shaders_) gl.AttachShader(name_, shader);
  gl.LinkProgram(name_);
}

// Any question to the driver waits until it has compiled: one, and more only when that one failed.
void Program::finish(const Context& context) {
  const Gl& gl = context.gl();
  GlInt linked = 0;
  gl.GetProgramiv(name_, gl::kLinkStatus, &linked);
  if (linked == 0) {
    error_ =
        vertex_file_ + " with " + fragment_file_ + ": " + info_log(gl.GetProgramInfoLog, name_);
  }
  for (const std::size_t stage : {0U, 1U}) {
    GlInt compiled = 1;
    if (linked == 0) gl.GetShaderiv(shaders_[stage], gl::kCompileStatus, &compiled);
    if (compiled == 0) {
      error_ = (stage == 0 ? vertex_file_ : fragment_file_) + ": " +
               info_log(gl.GetShaderInfoLog, shaders_[stage]);
      break;
    }
  }
  for (GlName& shader : shaders_) gl.DeleteShader(std::exchange(shader, 0));
  if (linked != 0) return;
  gl.DeleteProgram(name_);
  name_ = 0;
}

bool Program::use(Context& context) {
  if (!context.alive()) return false;
  begin(context);
  if (shaders_[0] != 0) finish(context);
  if (name_ == 0) return false;
  context.gl().UseProgram(name_);
  return true;
}

int Program::uniform(const Context& context, const char* name) {
  for (const Uniform& known : uniforms_) {
    if (std::string_view(known.name) == name) return known.location;
  }
  const int location = context.gl().GetUniformLocation(name_, name);
  uniforms_.push_back({name, location});
  return location;
}

void Program::free(const Context& context) {
  if (name_ != 0 && context.alive() && generation_ == context.generation()) {
    context.gl().DeleteProgram(name_);
    for (const GlName shader : shaders_) context.gl().DeleteShader(shader);
  }
  name_ = 0;
  shaders_ = {};
  generation_ = 0;
}

}  // namespace kvseats::gfx
