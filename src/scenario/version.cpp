#include "scenario/version.h"

// Written by the build; a plain compile has none.
#ifdef KVSEATS_COMMIT_FILE
#include KVSEATS_COMMIT_FILE
#endif
#ifndef KVSEATS_COMMIT
#define KVSEATS_COMMIT "unknown"
#endif

namespace kvseats::scenario {

std::string_view commit() {
  return KVSEATS_COMMIT;
}

}  // namespace kvseats::scenario
