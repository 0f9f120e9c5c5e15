#include <array>

#include "engine/engine.h"
#include "engine/hand/hand.h"
#include "engine/llamacpp/llamacpp.h"
#include "engine/sglang/sglang.h"
#include "engine/trtllm/trtllm.h"
#include "engine/vllm/vllm.h"

namespace kvseats::engine {
namespace {

// Adding an engine is a folder and one line here; menus show them in this order.
// clang-format off
const std::array kProfiles = {
    &hand_profile(),
    &vllm_profile(),
    &sglang_profile(),
    &trtllm_profile(),
    &llamacpp_profile(),
    &ollama_profile(),
    &lmstudio_profile(),
};
// clang-format on

}  // namespace

std::span<const Profile* const> profiles() {
  return kProfiles;
}

const Profile* find_profile(std::string_view id) {
  for (const Profile* profile : kProfiles) {
    if (profile->id == id) return profile;
  }
  return nullptr;
}

}  // namespace kvseats::engine
