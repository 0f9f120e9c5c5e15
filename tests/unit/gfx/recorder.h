// A GL that draws nothing and writes down everything: for tests without a GPU.
//
//   Recorder recorder;                       // one at a time; it is the current one until it goes
//   gfx::Context context(recorder.gl(), gfx::Dialect::kCore330);
//   …
//   EXPECT_EQ(recorder.count("DrawElements"), 2);
//
// Names handed out (textures, buffers, programs) rise from 1 and are never used twice. Shaders
// compile unless `fail_shaders` is set.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gfx/gl.h"

namespace kvseats::gfx {

class Recorder {
 public:
  struct Call {
    std::string name;
    std::vector<long long> arguments;  // integers as they are, pointers as 0
  };

  Recorder() { current() = this; }
  ~Recorder() { current() = nullptr; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Gl gl() const;

  int count(std::string_view name) const {
    int found = 0;
    for (const Call& call : calls) found += call.name == name ? 1 : 0;
    return found;
  }
  // The names of the calls that are in `wanted`, in order.
  std::vector<std::string> order(const std::vector<std::string_view>& wanted) const {
    std::vector<std::string> found;
    for (const Call& call : calls) {
      for (const std::string_view name : wanted) {
        if (call.name == name) found.push_back(call.name);
      }
    }
    return found;
  }
  // Arguments of the last call of that name; empty when there was none.
  std::vector<long long> last(std::string_view name) const {
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      if (call->name == name) return call->arguments;
    }
    return {};
  }
  void clear() { calls.clear(); }

  std::vector<Call> calls;
  bool fail_shaders = false;
  int max_texture = 4096;

  static Recorder*& current() {
    static Recorder* recorder = nullptr;  // the table has no user data
    return recorder;
  }
  GlName fresh() { return ++last_name_; }

 private:
  GlName last_name_ = 0;
};

namespace recorder_detail {

template <class T>
long long plain(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return 0;
  } else {
    return static_cast<long long>(value);
  }
}

// Functions that answer through a pointer.
inline void answer(std::string_view name, GlEnum what, GlInt* value) {
  const bool status = name == "GetShaderiv" || name == "GetProgramiv";
  *value = status ? (Recorder::current()->fail_shaders ? 0 : 1) : Recorder::current()->max_texture;
  static_cast<void>(what);
}

template <const char* kName, class Function>
struct Stub;

template <const char* kName, class Result, class... Arguments>
struct Stub<kName, Result(Arguments...)> {
  static Result call(Arguments... arguments) {
    const std::string_view name = kName;
    Recorder& recorder = *Recorder::current();
    recorder.calls.push_back({std::string(name), {plain(arguments)...}});
    if constexpr (std::is_same_v<Result(Arguments...), void(GlSize, GlName*)>) {
      fill(arguments...);
    } else if constexpr (std::is_same_v<Result(Arguments...), void(GlName, GlEnum, GlInt*)>) {
      status(arguments...);
    } else if constexpr (std::is_same_v<Result(Arguments...), void(GlEnum, GlInt*)>) {
      integer(arguments...);
    } else if constexpr (std::is_same_v<Result(Arguments...),
                                        void(GlName, GlSize, GlSize*, char*)>) {
      log(arguments...);
    } else if constexpr (std::is_same_v<Result, GlName>) {
      return name.starts_with("Create") ? recorder.fresh() : 0;
    } else if constexpr (std::is_same_v<Result, GlInt>) {
      return static_cast<GlInt>(recorder.calls.size());
    } else if constexpr (std::is_pointer_v<Result>) {
      return nullptr;
    }
  }
  static void fill(GlSize count, GlName* names) {
    for (GlSize i = 0; i < count; ++i) names[i] = Recorder::current()->fresh();
  }
  static void status(GlName, GlEnum what, GlInt* value) { answer(kName, what, value); }
  static void integer(GlEnum what, GlInt* value) { answer(kName, what, value); }
  static void log(GlName, GlSize, GlSize*, char* text) {
    const std::string_view words = "0:3: trouble";
    text[words.copy(text, words.size())] = '\0';
  }
};

#define KVSEATS_GL_NAME(result, name, parameters) inline constexpr char kName##name[] = #name;
KVSEATS_GL_FUNCTIONS(KVSEATS_GL_NAME)
#undef KVSEATS_GL_NAME

}  // namespace recorder_detail

inline Gl Recorder::gl() const {
  Gl table;
#define KVSEATS_GL_STUB(result, name, parameters) \
  table.name = &recorder_detail::Stub<recorder_detail::kName##name, result parameters>::call;
  KVSEATS_GL_FUNCTIONS(KVSEATS_GL_STUB)
#undef KVSEATS_GL_STUB
  return table;
}

}  // namespace kvseats::gfx
