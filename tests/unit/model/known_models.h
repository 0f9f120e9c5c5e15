#pragma once

#include <cstdint>

/// Models whose cache sizes are public, as shapes: the fixtures of this room's tests.
///
/// Every row gives the config.json it was written from; the expected bytes follow from it by the
/// formula of the paper named in `model/demand.h` and were checked by hand.
namespace kvseats::model::test {

struct KnownModel {
  const char* name;
  const char* shape;
  std::uint64_t per_token;  ///< bf16, below every window
  std::uint64_t beyond;     ///< bf16, beyond every window
  std::uint64_t state;      ///< bytes per request, whatever its length
};

// clang-format off
inline constexpr KnownModel kKnownModels[] = {
    // meta-llama/Meta-Llama-3-8B: 32 layers, 8 KV heads, 4096 / 32 heads
    {"Llama 3 8B", "full:32x8x128", 131072, 131072, 0},
    // meta-llama/Llama-2-7b-hf: no grouping, 32 KV heads
    {"Llama 2 7B", "full:32x32x128", 524288, 524288, 0},
    // meta-llama/Meta-Llama-3-70B
    {"Llama 3 70B", "full:80x8x128", 327680, 327680, 0},
    // Qwen/Qwen3-32B: head_dim 128 is declared, 5120 / 64 heads would give 80
    {"Qwen3 32B", "full:64x8x128", 262144, 262144, 0},
    // Qwen/Qwen3-235B-A22B: 94 layers, 4 KV heads, head_dim 128 declared
    {"Qwen3 235B A22B", "full:94x4x128", 192512, 192512, 0},
    // tiiuae/falcon-40b: new_decoder_architecture, so 8 KV heads in spite of multi_query
    {"Falcon 40B", "full:60x8x64", 122880, 122880, 0},
    // deepseek-ai/deepseek-vl2-tiny: use_mla false, plain heads of 1280 / 10
    {"DeepSeek-VL2 tiny", "full:12x10x128", 61440, 61440, 0},
    // deepseek-ai/DeepSeek-V3: kv_lora_rank 512 + qk_rope_head_dim 64, 61 layers
    {"DeepSeek-V3", "latent:61x576,rank=512", 70272, 70272, 0},
    // deepseek-ai/DeepSeek-V3.2-Exp: the same and index_head_dim 128 on every layer
    {"DeepSeek-V3.2", "latent:61x576,rank=512,index=128", 85888, 85888, 0},
    // zai-org/GLM-5.3: indexer_types names 21 of 78 layers
    {"GLM-5.3", "latent:78x576,rank=512,index=128,indexed=21", 95232, 95232, 0},
    // openbmb/MiniCPM3-4B: kv_lora_rank 256 + 32
    {"MiniCPM3 4B", "latent:62x288,rank=256", 35712, 35712, 0},
    // XiaomiMiMo/MiMo-V2-Flash class: K wider than V
    {"K 192, V 128", "full:9x4x192/128+window:39x8x192/128@128", 222720, 23040, 0},
    // openai/gpt-oss-120b: 36 layers, every other one a window of 128
    {"gpt-oss 120B", "full:18x8x64+window:18x8x64@128+order:1.0.1.0.1.0.1.0.1.0.1.0.1.0.1.0.1.0.1.0"
     ".1.0.1.0.1.0.1.0.1.0.1.0.1.0.1.0", 73728, 36864, 0},
    // google/gemma-3-27b-it: one full layer in six, window 1024
    {"Gemma 3 27B", "full:10x16x128+window:52x16x128@1024", 507904, 81920, 0},
    // google/gemma-3n-E4B-it: num_kv_shared_layers 15 of 35
    {"Gemma 3n E4B", "full:4x2x256+window:16x2x256@512+shared:15", 40960, 8192, 0},
    // meta-llama/Llama-4-Scout-17B-16E: attention_chunk_size 8192 on three layers of four
    {"Llama 4 Scout", "full:12x8x128+chunked:36x8x128@8192", 196608, 49152, 0},
    // Qwen/Qwen3-Next-80B-A3B: 36 gated delta layers, conv 3 × 8192, 32 states of 128 × 128 in fp32
    {"Qwen3-Next 80B", "full:12x2x256+none:36,state=gated-delta,conv=3x8192,temporal=32x128x128,"
     "statetype=f32", 24576, 24576, 77266944},
    // LiquidAI/LFM2-1.2B: 6 attention layers of 16, short convolutions of kernel 3
    {"LFM2 1.2B", "full:6x8x64+none:10,state=short-conv,conv=2x2048", 12288, 12288, 81920},
    // ai21labs/Jamba-v0.1: 4 attention layers of 32, Mamba-1 with 8192 × 16
    {"Jamba v0.1", "full:4x8x128+none:28,state=mamba1,conv=3x8192,temporal=1x8192x16,statetype=f32",
     16384, 16384, 16056320},
    // nvidia/Nemotron-H-56B-Base-8K: 10 attention, 54 Mamba-2, 54 MLP layers
    {"Nemotron-H 56B", "full:10x8x128+none:54,state=mamba2,conv=3x20480,temporal=256x64x256,groups=8"
     "+none:54", 40960, 40960, 459620352},
    // tiiuae/Falcon-H1-34B: attention and Mamba-2 in every layer
    {"Falcon-H1 34B", "full:72x4x128,state=mamba2,conv=3x5120,temporal=32x128x256,groups=2", 147456,
     147456, 153206784},
    // moonshotai/Kimi-Linear-48B-A3B: 7 latent layers, 20 KDA with three convolutions of 4096
    {"Kimi Linear 48B", "latent:7x576,rank=512+none:20,state=kda,conv=3x12288,"
     "temporal=32x128x128,statetype=f32", 8064, 8064, 43417600},
    // MiniMaxAI/MiniMax-M1: 70 layers of linear attention, 64 states of 128 × 128
    {"MiniMax-M1", "full:10x8x128+none:70,state=linear,temporal=64x128x128,statetype=f32", 40960,
     40960, 293601280},
    // nvidia/Llama-3_3-Nemotron-Super-49B-v1: 31 of 80 blocks without attention
    {"Nemotron Super 49B", "full:49x8x128+none:31", 200704, 200704, 0},
    // deepseek-ai/DeepSeek-V4-Flash: 43 windows of 128; 21 layers 4:1 with index keys, 20 layers 128:1;
    // compressors 2 × 8 × 1024, 2 × 128 × 512 and 2 × 8 × 256 in fp32
    {"DeepSeek-V4 Flash", "compressed:2x512@128+compressed:21x512@128,index=128,ratio=4,dim=512"
     "+compressed:20x512@128,ratio=128,dim=512", 50912, 6880, 12206080},
    // openai/whisper-large-v3: decoder self attention; the encoder's part is no growth per token
    {"Whisper large v3", "full:32x20x64+cross:32x20x64@1500,overlay=1", 163840, 163840, 0},
};
// clang-format on

}  // namespace kvseats::model::test
