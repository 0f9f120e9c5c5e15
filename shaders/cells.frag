// A grid of squares, one texel each; their right and lower edges may stay empty.
uniform sampler2D cells;  // colours, row 0 at the top
uniform vec2 gap;         // part of a cell's sides, 0 to 1
in vec2 place;
layout(location = 0) out vec4 pixel;

void main() {
  ivec2 size = textureSize(cells, 0);
  vec2 at = vec2(place.x, 1.0 - place.y) * vec2(size);
  ivec2 cell = clamp(ivec2(at), ivec2(0), size - 1);
  vec2 inside = at - vec2(cell);
  if (any(greaterThan(inside, 1.0 - gap))) discard;
  pixel = texelFetch(cells, cell, 0);
}
