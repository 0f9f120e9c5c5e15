// One GL context: its functions, what it can do, and whether it is alive.
//
//   gfx::Context context(gl, gfx::Dialect::kCore330);
//   …
//   context.lose();                // the browser or driver took it: every object is void
//   context.restore();             // a fresh one is current: objects rebuild at their next use
//
// Loss: objects (Program, Texture, buffers) remember the `generation` they were made in and
// rebuild themselves from their own description when it has moved on. They never delete a name
// of an earlier generation: those names belong to nobody, or to somebody else.
#pragma once

#include <cstdint>

#include "gfx/gl.h"

namespace kvseats::gfx {

// Which two-line header a shader body gets.
enum class Dialect : std::uint8_t {
  kEs300,    // #version 300 es, highp everywhere
  kCore330,  // #version 330 core
};

struct Capabilities {
  int max_texture_px = 2048;  // largest width and height of a texture and of the surface
};

class Context {
 public:
  // The GL context must be current. `gl` is copied.
  Context(const Gl& gl, Dialect dialect);

  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Gl& gl() const { return gl_; }
  Dialect dialect() const { return dialect_; }
  const Capabilities& capabilities() const { return capabilities_; }

  // False between `lose` and `restore`; then no GL function may be called.
  bool alive() const { return alive_; }
  // Counts contexts, from 1. An object whose number differs is void.
  std::uint32_t generation() const { return generation_; }

  void lose() { alive_ = false; }
  // A new context is current (its capabilities are read again).
  void restore();

 private:
  Gl gl_;
  Dialect dialect_;
  Capabilities capabilities_;
  bool alive_ = true;
  std::uint32_t generation_ = 1;
};

}  // namespace kvseats::gfx
