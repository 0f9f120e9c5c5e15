#include "gfx/gl.h"

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#endif

namespace kvseats::gfx {

bool load_gl(Gl& table, void* (*get_proc)(const char* name)) {
  bool complete = true;
#define KVSEATS_GL_LOAD(result, name, parameters)                            \
  table.name = reinterpret_cast<result(*) parameters>(get_proc("gl" #name)); \
  complete = complete && table.name != nullptr;
  KVSEATS_GL_FUNCTIONS(KVSEATS_GL_LOAD)
#undef KVSEATS_GL_LOAD
  return complete;
}

#ifdef __EMSCRIPTEN__
Gl web_gl() {
  Gl table;
#define KVSEATS_GL_BIND(result, name, parameters) table.name = &gl##name;
  KVSEATS_GL_FUNCTIONS(KVSEATS_GL_BIND)
#undef KVSEATS_GL_BIND
  return table;
}
#endif

}  // namespace kvseats::gfx
