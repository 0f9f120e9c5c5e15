// A vertex of the user interface: position in logical pixels, texture place, colour.
uniform vec4 transform;  // position * xy + zw is the place on the surface, -1 to 1
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 colour;
out vec2 place;
out vec4 tint;

void main() {
  place = uv;
  tint = colour;
  gl_Position = vec4(position * transform.xy + transform.zw, 0.0, 1.0);
}
