#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A second formula for what a request must store, straight from a raw config.json. It shares no
/// code with the program and is written the other way round: by the class that `model_type` names
/// (transformers' modeling_<name>.py and the model cards), layer by layer, where the program asks
/// for keys and builds groups. Bytes are counted in 32nds, so that block formats stay whole.
namespace second {

using Json = nlohmann::json;

/// One layer, or one cache of it.
struct Layer {
  enum Kind { kHeads, kVector, kEntries, kConstant, kNothing } kind = kNothing;
  std::uint64_t heads = 0, k = 0, v = 0;  ///< kHeads; kVector and kEntries: k is the width
  std::uint64_t rank = 0;                 ///< of a vector: the part without rotary positions
  std::uint64_t limit = 0;                ///< tokens kept; 0: all
  bool overlay = false;                   ///< beside a layer that is counted already
  bool encoder = false;                   ///< counts the encoder's tokens
  std::uint64_t index = 0;                ///< width of an index key beside it
  bool index_pairs = false;               ///< … and of an index value
  std::uint64_t every = 1;                ///< tokens for one entry
  std::uint64_t bytes = 0;                ///< constant bytes, and those beside the rest
};

/// The layers of a config in order, and the cross attention of encoder-decoders after them.
[[nodiscard]] std::vector<Layer> layers_of(const Json& config);

/// 32nds of a byte for a request of `tokens` tokens, with `encoder` of the encoder's.
[[nodiscard]] std::uint64_t bytes_32(const std::vector<Layer>& layers, std::uint64_t tokens,
                                     std::uint64_t encoder, const std::string& k_format,
                                     const std::string& v_format);

}  // namespace second
