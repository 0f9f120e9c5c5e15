#include "import/count_vision.h"

namespace kvseats::import {
namespace {

using units::checked_add;
using units::checked_mul;

constexpr std::uint64_t kMost = 1 << 20;

class Tower {
 public:
  Tower(Json tower, std::uint64_t merge) : tower_(tower), merge_(merge) {
    width_ = number("hidden_size vt_hidden_size width embed_dim");
    layers_ =
        number("num_hidden_layers depth vt_num_hidden_layers layers") + number("num_global_layers");
    inner_ = number("intermediate_size vt_intermediate_size");
    if (inner_ == 0) inner_ = 4 * width_;
    if (const std::uint64_t own = number("spatial_merge_size merge_size")) merge_ = own;
  }

  [[nodiscard]] bool known() const { return width_ != 0 && layers_ != 0; }

  [[nodiscard]] std::uint64_t layers() const {
    // Pixtral and Qwen2.5-VL gate with SiLU; Gemma 4 as its language model does
    // (transformers modeling_pixtral.py, modeling_qwen2_5_vl.py, modeling_gemma4.py).
    const bool gated = tower_.get("hidden_act").text() == "silu" || type() == "gemma4_vision";
    const std::uint64_t one =
        checked_add(checked_mul(4 * width_, width_), checked_mul((gated ? 3 : 2) * width_, inner_));
    return checked_mul(layers_, checked_add(one, 9 * width_ + inner_));  // norms and biases
  }

  /// Patches and positions.
  [[nodiscard]] std::uint64_t ends() const {
    const std::uint64_t patch = number("patch_size");
    const std::uint64_t frames = number("temporal_patch_size") != 0 ? 2 : 1;
    std::uint64_t places = number("num_position_embeddings");
    if (const std::uint64_t axis = number("position_embedding_size")) places = 2 * axis;
    const std::uint64_t image = number("image_size");
    const bool learned = type() == "siglip_vision_model" || type() == "clip_vision_model" ||
                         type() == "mllama_vision_model";
    if (places == 0 && learned && patch != 0) places = (image / patch) * (image / patch);
    // modeling_mllama.py: positions of every tile of nine aspect ratios.
    const std::uint64_t tiles =
        type() == "mllama_vision_model" ? 9 * number("max_num_tiles") * (places + 1) : 0;
    return checked_mul(width_, places + tiles + 3 * frames * patch * patch);
  }

  /// To the text's width `hidden`, as far as the wrappers differ.
  [[nodiscard]] std::uint64_t projector(std::uint64_t hidden, bool two_layers) const {
    const std::uint64_t wide = checked_mul(width_, merge_ * merge_);
    if (type() == "pixtral") {  // patch merger, then two linear layers
      return checked_add(checked_mul(wide, width_), checked_mul(hidden, width_ + hidden));
    }
    if (const std::uint64_t out = number("vision_output_dim")) return checked_mul(out, hidden);
    if (merge_ > 1) return checked_mul(wide, checked_add(wide, hidden));
    return checked_mul(hidden, two_layers ? width_ + hidden : width_);
  }

 private:
  [[nodiscard]] std::string_view type() const { return tower_.get("model_type").text(); }

  [[nodiscard]] std::uint64_t number(Keys keys) const {
    for (std::string_view key = keys.next(); !key.empty(); key = keys.next()) {
      const std::optional<std::uint64_t> n = tower_.get(key).whole();
      if (n && *n <= kMost) return *n;
    }
    return 0;
  }

  Json tower_;
  std::uint64_t merge_ = 1;
  std::uint64_t width_ = 0, layers_ = 0, inner_ = 0;
};

}  // namespace

std::uint64_t count_vision(Config& config, const Geometry& g) {
  const std::string_view how = "not counted; the checkpoint's index has it";
  for (const std::string_view key : {"audio_config", "speech_config", "audio_encoder"}) {
    if (config.root.get(key).is_object()) config.missing("audio tower", how);
  }
  // allenai/Molmo-7B-D modeling_molmo.py: a CLIP tower that its config does not name.
  if (config.model_type == "molmo") config.missing("vision tower", how);
  Json object = config.root.get("vision_config");
  if (!object.is_object()) object = config.root.get("vision_tower_cfg");
  if (!object.is_object() || g.hidden == 0) return 0;
  const std::uint64_t merge = config.root.get("spatial_merge_size").whole().value_or(1);
  const bool kimi = object.get("merge_type").is_text();
  const Tower tower(object, kimi ? 2 : merge == 0 || merge > 16 ? 1 : merge);
  if (!tower.known()) {
    config.missing("vision tower", "its widths are not in the file; give the checkpoint's index");
    return 0;
  }
  const std::string_view outer = config.root.get("model_type").text();
  const std::uint64_t n = checked_add(checked_add(tower.layers(), tower.ends()),
                                      tower.projector(g.hidden, outer.substr(0, 5) == "llava"));
  if (n >= units::kMaxExactJson) return 0;
  config.derived("parameters of the vision tower", n, "counted from " + object.path());
  return n;
}

}  // namespace kvseats::import
