// A field of numbers as colour: the logarithm of a number picks its colour from a ramp.
// Only the colour is decided here; the numbers come from outside, one a sample.
uniform highp sampler2D logarithms;  // log2 of the values, row 0 at the bottom
uniform sampler2D ramp;              // one row of colours, low to high
uniform vec2 ramp_range;             // log2 at the ramp's two ends
in vec2 place;
layout(location = 0) out vec4 pixel;

// Bilinear by hand, because floats are not filterable everywhere. Corner samples sit on corners.
float logarithm_at(vec2 where) {
  ivec2 last = textureSize(logarithms, 0) - 1;
  vec2 at = clamp(where, 0.0, 1.0) * vec2(last);
  ivec2 low = min(ivec2(at), last - 1);
  vec2 part = at - vec2(low);
  float a = texelFetch(logarithms, low, 0).r;
  float b = texelFetch(logarithms, low + ivec2(1, 0), 0).r;
  float c = texelFetch(logarithms, low + ivec2(0, 1), 0).r;
  float d = texelFetch(logarithms, low + ivec2(1, 1), 0).r;
  return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

void main() {
  float along = (logarithm_at(place) - ramp_range.x) / (ramp_range.y - ramp_range.x);
  pixel = texture(ramp, vec2(along, 0.5));
}
