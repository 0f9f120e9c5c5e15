// One rectangle without vertex data: its four corners in the order of a triangle strip.
uniform vec4 corners;  // left, bottom, right, top on the surface, -1 to 1
out vec2 place;        // 0 to 1, y upwards, as the rows of the field

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(corners.xy, corners.zw, place), 0.0, 1.0);
}
