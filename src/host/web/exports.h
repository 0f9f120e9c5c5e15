// The C functions that the canvas module exports to web/canvas-host.js: all that JavaScript can
// say to it and ask it. The program it is a part of exports capi.h, malloc and free besides.
//
// One `Instance` is one widget. Strings are UTF-8 with a length in bytes and belong to the caller;
// returned strings end in NUL, belong to the instance, and live until the same function is called
// again. Coordinates are logical (CSS) px from the top left corner of the canvas, sizes device px,
// times seconds of one clock. No function fails; calls in the wrong order do nothing.
//
// Order: create, resource (three times), start, then context and resize in any order, then events;
// after each batch of events `kvh_next` says when to call `kvh_frame`.
#pragma once

#include <cstdint>

namespace kvseats::host {
struct Instance;
}

extern "C" {
using KvhInstance = kvseats::host::Instance;

// --- Life -------------------------------------------------------------------------------------
KvhInstance* kvh_create();
// Takes over `bytes` (made by malloc): kind 0 the catalogue, 1 the regular font, 2 the bold one.
void kvh_resource(KvhInstance* self, int kind, std::uint8_t* bytes, int size);
void kvh_start(KvhInstance* self, const char* query, int size);
void kvh_destroy(KvhInstance* self);

// --- Surface ----------------------------------------------------------------------------------
// 1: Module.canvasContext is a fresh WebGL2 context, from now on ours. 0: it is lost or dropped.
// Returns the longest side the surface may have in device px, 0 without a context.
int kvh_context(KvhInstance* self, int available);
void kvh_resize(KvhInstance* self, int pixel_width, int pixel_height, double scale);
// Bits: 1 dark, 2 reduced motion, 4 visible.
void kvh_surroundings(KvhInstance* self, int bits);

// --- Input ------------------------------------------------------------------------------------
// 0 lost, 1 by pointer, 2 by Tab, 3 by Shift+Tab.
void kvh_focus(KvhInstance* self, int how);
// kind: 0 move, 1 down, 2 up, 3 leave, 4 cancel. source: 0 mouse, 1 touch, 2 pen. button: 0 first,
// 1 second, 2 middle. modifiers: 1 Shift, 2 Ctrl, 4 Alt, 8 Meta.
void kvh_pointer(KvhInstance* self, int kind, int source, int button, double x, double y,
                 int modifiers);
// In notches, positive y towards the top.
void kvh_wheel(KvhInstance* self, double x, double y, int modifiers);
// A plain wheel over a chart went to the page.
void kvh_wheel_went_by(KvhInstance* self);
// key: 1 Tab, 2 to 5 Left Right Up Down, 6 PageUp, 7 PageDown, 8 Home, 9 End, 10 Delete,
// 11 Backspace, 12 Space, 13 Enter, 14 Escape, 65 to 90 the letters.
void kvh_key(KvhInstance* self, int key, int down, int modifiers);
void kvh_text(KvhInstance* self, const char* text, int size);
// The overlay field: event 0 changed, 1 committed, 2 cancelled, 3 left; `text` is all of it.
void kvh_edit(KvhInstance* self, unsigned id, int event, const char* text, int size);
void kvh_query(KvhInstance* self, const char* query, int size);
void kvh_file(KvhInstance* self, const char* name, int name_size, const std::uint8_t* bytes,
              int size);

// --- Frames -----------------------------------------------------------------------------------
// 0: draw now. Positive: nothing before that many seconds. -1: nothing until an event.
double kvh_next(KvhInstance* self, double now_s);
void kvh_frame(KvhInstance* self, double now_s);
// Digests queued events without drawing; see Shell::digest.
void kvh_digest(KvhInstance* self, double now_s);
// What changed since the last call, as JSON, or null when nothing did:
// {"effects":[{"kind":"query|copy|save|open|url|announce","text","name"}],"state":{
//  "edit":null|{"id","rect":[x,y,w,h],"text","numeric","label","font"},
//  "zones":[[kind,x,y,w,h,up,down]…],   kind: 0 drag, 1 scroll, 2 zoom, 3 menu, 4 text
//  "keys":KeyUse bits,"forward":bool,"backward":bool,   Tab, Shift+Tab would leave
//  "cursor":ImGuiMouseCursor,"paper":0xRRGGBB,"height":px,"error":"…"}}
const char* kvh_result(KvhInstance* self);
// The widget registry (App::registry_json).
const char* kvh_registry(KvhInstance* self);
// Frames drawn so far.
unsigned kvh_frames(KvhInstance* self);
}
