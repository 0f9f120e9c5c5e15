// A pixel of the user interface: the glyph or the white corner of the atlas, times its colour.
uniform sampler2D atlas;
in vec2 place;
in vec4 tint;
layout(location = 0) out vec4 pixel;

void main() {
  pixel = tint * texture(atlas, place);
}
