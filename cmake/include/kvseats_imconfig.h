// Compile-time configuration of Dear ImGui, the same for every file that includes imgui.h.
#pragma once

// The demo window alone is 129 KB gzip of the page; tools and obsolete names are never used.
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// Fonts come as bytes and settings live in the link: no file is ever opened.
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS

// Our own fonts only (1.92.2 still compiles ProggyClean unless told not to).
#define IMGUI_DISABLE_DEFAULT_FONT

// The hosts bring their own clipboard; no operating-system one is compiled in.
#define IMGUI_DISABLE_WIN32_FUNCTIONS

// Without printf and its floating point: cmake/imgui_lean.cpp has what is needed of it.
#define IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS
