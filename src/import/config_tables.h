#pragma once

#include <cstdint>
#include <string_view>

/// Facts that a config.json leaves to the class that reads it: tables by `model_type`, each row
/// with its source. They are looked at only when the file itself is silent, and the draft says so.
namespace kvseats::import {

/// Which layers keep only a window, when `sliding_window` is set and no key says where.
struct WindowRule {
  std::string_view model_type;
  std::uint32_t period;  ///< layer i keeps everything when (i + 1) % period == 0; 0: all slide
  std::string_view source;
};
[[nodiscard]] const WindowRule* find_window_rule(std::string_view model_type);

/// Geometry that the class assumes for keys that are absent. 0: the class has none.
struct ClassDefaults {
  std::string_view model_type;
  std::uint32_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab;
  std::uint64_t window;
  std::string_view source;
};
[[nodiscard]] const ClassDefaults* find_class_defaults(std::string_view model_type);

/// Classes that tie input and output embeddings when `tie_word_embeddings` is absent.
[[nodiscard]] bool ties_by_default(std::string_view model_type);

/// Classes whose checkpoints keep embeddings and head once more in each next-token layer.
[[nodiscard]] bool copies_ends_to_next_token(std::string_view model_type);

/// Classes whose feed-forward layer has two matrices (up, down) instead of three.
[[nodiscard]] bool has_plain_ffn(std::string_view model_type);

/// Encoders: they attend within one pass and keep nothing, unless `is_decoder` says otherwise.
[[nodiscard]] bool is_encoder_only(std::string_view model_type);

/// Classes whose K and V of every layer stand beside a Mamba-2 state (Falcon-H1).
[[nodiscard]] bool is_parallel_hybrid(std::string_view model_type);

}  // namespace kvseats::import
