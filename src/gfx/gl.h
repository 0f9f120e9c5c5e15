// The part of OpenGL this program uses, as a table of functions and the constants they take.
//
//   gfx::Gl gl;
//   if (!gfx::load_gl(gl, SDL_GL_GetProcAddress)) { … }   // desktop, 3.3 core
//   gfx::Gl gl = gfx::web_gl();                           // web, the current WebGL2 context
//   gfx::Recorder recorder; gfx::Gl gl = recorder.gl();   // tests: no GPU (gfx/recorder.h)
//
// A table instead of the platform's header: one source serves OpenGL 3.3 core and OpenGL ES
// 3.00, the desktop needs no loader library, and tests can watch every call. Only the
// intersection of both APIs is listed, with the names, types and values of Khronos's
// gl.xml (github.com/KhronosGroup/OpenGL-Registry), without the `gl` prefix.
//
// Failure: `load_gl` returns false when any function is missing; the table is then unusable.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kvseats::gfx {

using GlEnum = unsigned int;
using GlBits = unsigned int;
using GlName = unsigned int;  // of a texture, buffer, program …; 0 is none
using GlInt = int;
using GlSize = int;
using GlBool = unsigned char;
using GlPtrSize = std::ptrdiff_t;

// X(result, Name, (parameters)): every function in the table.
#define KVSEATS_GL_FUNCTIONS(X)                                                                   \
  X(const unsigned char*, GetString, (GlEnum))                                                    \
  X(void, GetIntegerv, (GlEnum, GlInt*))                                                          \
  X(GlEnum, GetError, ())                                                                         \
  X(void, Viewport, (GlInt, GlInt, GlSize, GlSize))                                               \
  X(void, Scissor, (GlInt, GlInt, GlSize, GlSize))                                                \
  X(void, Enable, (GlEnum))                                                                       \
  X(void, Disable, (GlEnum))                                                                      \
  X(void, BlendEquation, (GlEnum))                                                                \
  X(void, BlendFuncSeparate, (GlEnum, GlEnum, GlEnum, GlEnum))                                    \
  X(void, ClearColor, (float, float, float, float))                                               \
  X(void, Clear, (GlBits))                                                                        \
  X(GlName, CreateShader, (GlEnum))                                                               \
  X(void, ShaderSource, (GlName, GlSize, const char* const*, const GlInt*))                       \
  X(void, CompileShader, (GlName))                                                                \
  X(void, GetShaderiv, (GlName, GlEnum, GlInt*))                                                  \
  X(void, GetShaderInfoLog, (GlName, GlSize, GlSize*, char*))                                     \
  X(void, DeleteShader, (GlName))                                                                 \
  X(GlName, CreateProgram, ())                                                                    \
  X(void, AttachShader, (GlName, GlName))                                                         \
  X(void, LinkProgram, (GlName))                                                                  \
  X(void, GetProgramiv, (GlName, GlEnum, GlInt*))                                                 \
  X(void, GetProgramInfoLog, (GlName, GlSize, GlSize*, char*))                                    \
  X(void, DeleteProgram, (GlName))                                                                \
  X(void, UseProgram, (GlName))                                                                   \
  X(GlInt, GetUniformLocation, (GlName, const char*))                                             \
  X(void, Uniform1i, (GlInt, GlInt))                                                              \
  X(void, Uniform2f, (GlInt, float, float))                                                       \
  X(void, Uniform4f, (GlInt, float, float, float, float))                                         \
  X(void, GenTextures, (GlSize, GlName*))                                                         \
  X(void, DeleteTextures, (GlSize, const GlName*))                                                \
  X(void, BindTexture, (GlEnum, GlName))                                                          \
  X(void, ActiveTexture, (GlEnum))                                                                \
  X(void, TexParameteri, (GlEnum, GlEnum, GlInt))                                                 \
  X(void, PixelStorei, (GlEnum, GlInt))                                                           \
  X(void, TexImage2D, (GlEnum, GlInt, GlInt, GlSize, GlSize, GlInt, GlEnum, GlEnum, const void*)) \
  X(void, TexSubImage2D,                                                                          \
    (GlEnum, GlInt, GlInt, GlInt, GlSize, GlSize, GlEnum, GlEnum, const void*))                   \
  X(void, GenBuffers, (GlSize, GlName*))                                                          \
  X(void, DeleteBuffers, (GlSize, const GlName*))                                                 \
  X(void, BindBuffer, (GlEnum, GlName))                                                           \
  X(void, BufferData, (GlEnum, GlPtrSize, const void*, GlEnum))                                   \
  X(void, GenVertexArrays, (GlSize, GlName*))                                                     \
  X(void, DeleteVertexArrays, (GlSize, const GlName*))                                            \
  X(void, BindVertexArray, (GlName))                                                              \
  X(void, EnableVertexAttribArray, (GlName))                                                      \
  X(void, VertexAttribPointer, (GlName, GlInt, GlEnum, GlBool, GlSize, const void*))              \
  X(void, DrawElements, (GlEnum, GlSize, GlEnum, const void*))                                    \
  X(void, DrawArrays, (GlEnum, GlInt, GlSize))                                                    \
  X(void, ReadPixels, (GlInt, GlInt, GlSize, GlSize, GlEnum, GlEnum, void*))

// The table itself. All members are set, or none may be called.
struct Gl {
#define KVSEATS_GL_MEMBER(result, name, parameters) result(*name) parameters = nullptr;
  KVSEATS_GL_FUNCTIONS(KVSEATS_GL_MEMBER)
#undef KVSEATS_GL_MEMBER
};

namespace gl {
inline constexpr GlEnum kTriangles = 0x0004, kTriangleStrip = 0x0005;
inline constexpr GlEnum kSrcAlpha = 0x0302, kOneMinusSrcAlpha = 0x0303, kOne = 1;
inline constexpr GlEnum kFuncAdd = 0x8006;
inline constexpr GlEnum kBlend = 0x0BE2, kScissorTest = 0x0C11, kDepthTest = 0x0B71;
inline constexpr GlEnum kCullFace = 0x0B44, kStencilTest = 0x0B90;
inline constexpr GlBits kColorBufferBit = 0x4000;
inline constexpr GlEnum kVersion = 0x1F02, kRenderer = 0x1F01, kMaxTextureSize = 0x0D33;
inline constexpr GlEnum kMajorVersion = 0x821B, kMinorVersion = 0x821C;
inline constexpr GlEnum kVertexShader = 0x8B31, kFragmentShader = 0x8B30;
inline constexpr GlEnum kCompileStatus = 0x8B81, kLinkStatus = 0x8B82;
inline constexpr GlEnum kTexture2D = 0x0DE1, kTexture0 = 0x84C0;
inline constexpr GlEnum kTextureMagFilter = 0x2800, kTextureMinFilter = 0x2801;
inline constexpr GlEnum kTextureWrapS = 0x2802, kTextureWrapT = 0x2803;
inline constexpr GlEnum kNearest = 0x2600, kLinear = 0x2601, kClampToEdge = 0x812F;
inline constexpr GlEnum kUnpackAlignment = 0x0CF5, kUnpackRowLength = 0x0CF2;
inline constexpr GlEnum kPackAlignment = 0x0D05;
inline constexpr GlEnum kRgba = 0x1908, kRgba8 = 0x8058, kRed = 0x1903, kR32f = 0x822E;
inline constexpr GlEnum kUnsignedByte = 0x1401, kUnsignedShort = 0x1403;
inline constexpr GlEnum kUnsignedInt = 0x1405, kFloat = 0x1406;
inline constexpr GlEnum kArrayBuffer = 0x8892, kElementArrayBuffer = 0x8893;
inline constexpr GlEnum kStreamDraw = 0x88E0, kStaticDraw = 0x88E4;
}  // namespace gl

// Fills the table through the platform's look-up. False: this GL is too old.
bool load_gl(Gl& table, void* (*get_proc)(const char* name));

#ifdef __EMSCRIPTEN__
// The table of the WebGL2 binding; calls go to the context that is current at that moment.
Gl web_gl();
#endif

}  // namespace kvseats::gfx
