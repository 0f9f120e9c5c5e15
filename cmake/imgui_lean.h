// Included before the core files of Dear ImGui (only them), see imgui_lean.cpp.
#pragma once

#include <stdio.h>

// Only settings files are read with it, and there are none: 11 KB of wasm for nothing.
#define sscanf(...) 0
