#pragma once

#include "engine/engine.h"

// An engine that exists for the test only: one byte of overhead a token, sixteen requests.
namespace kvseats::engine {

[[nodiscard]] const Profile& toy_profile();

}  // namespace kvseats::engine
