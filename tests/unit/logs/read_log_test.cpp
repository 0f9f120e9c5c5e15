#include "logs/read_log.h"

#include <gtest/gtest.h>

#include <map>

// Whole texts: lines of each engine, command lines, hostile bytes.
namespace kvseats::logs {
namespace {

std::map<std::string, std::string> facts_of(std::string_view text) {
  std::map<std::string, std::string> out;
  const auto log = read_log(text);
  if (!log) return out;
  for (const Reading& r : log->readings) out[std::string(r.fact->name)] = r.text;
  return out;
}

std::map<std::string, std::string> settings_of(std::string_view text) {
  std::map<std::string, std::string> out;
  const auto log = read_log(text);
  if (!log) return out;
  for (const Command& command : log->commands) {
    for (const Setting& s : command.settings) out[s.key] = s.text;
  }
  return out;
}

using Map = std::map<std::string, std::string>;

TEST(ReadLog, LinesOfVllm) {
  // vllm-project/vllm issue 20256 and others; v1/core/kv_cache_utils.py.
  const Map one = facts_of(
      "(EngineCore_0 pid=7) INFO 10-03 12:00:20 [kv_cache_utils.py:2395] GPU KV cache size: "
      "1,234,560 tokens, Maximum concurrency for 32,768 tokens per request: 37.68x\n");
  EXPECT_EQ(one, (Map{{"tokens", "1,234,560"}, {"context", "32,768"}, {"concurrency", "37.68"}}));
  // worker/worker.py of V0: several lines of one message.
  const Map v0 = facts_of(
      "INFO 07-23 20:49:31 worker.py:241] Memory profiling takes 129.95 seconds\n"
      "the current vLLM instance can use total_gpu_memory (44.39GiB) x gpu_memory_utilization "
      "(0.92) = 40.84GiB\nmodel weights take 21.67GiB; non_torch_memory takes 0.36GiB; PyTorch "
      "activation peak memory takes 15.73GiB; the rest of the memory reserved for KV Cache is "
      "3.08GiB.\nINFO 07-23 executor_base.py:112] # cuda blocks: 1234, # CPU blocks: 2048\n");
  EXPECT_EQ(v0, (Map{{"total", "44.39"},
                     {"util", "0.92"},
                     {"usable", "40.84"},
                     {"weights", "21.67"},
                     {"non_torch", "0.36"},
                     {"activations", "15.73"},
                     {"available", "3.08"},
                     {"blocks", "1234"},
                     {"host_blocks", "2048"}}));
  const Map refused = facts_of(
      "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB "
      "KV cache is needed, which is larger than the available KV cache memory (4.50 GiB). Based on "
      "the available memory, the estimated maximum model length is 32768. Try increasing\n");
  EXPECT_EQ(refused, (Map{{"context", "40960"},
                          {"needed", "5.62"},
                          {"available", "4.50"},
                          {"estimated", "32768"}}));
  EXPECT_EQ(facts_of("INFO [config.py:281] Setting attention block size to 784 tokens to ensure "
                     "that attention page size is >= mamba page size.")["block_tokens"],
            "784");
}

TEST(ReadLog, LinesOfSglang) {
  // sgl-project/sglang, mem_cache/memory_pool.py and managers/scheduler.py.
  const Map facts = facts_of(
      "[2025-03-08 12:29:21 TP0] Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, "
      "avail mem=6.09 GB, mem usage=15.54 GB.\n"
      "[2025-03-08 12:29:21 TP0] KV Cache is allocated. #tokens: 46611, K size: 1.42 GB, V size: "
      "1.43 GB\n"
      "[2026-09-09 11:57:18] Mamba Cache is allocated. max_mamba_cache_size: 48, conv_state size: "
      "0.09GB, ssm_state size: 6.46GB\n"
      "[2026-09-09 11:57:27] max_total_num_tokens=46611, chunked_prefill_size=-1, "
      "max_prefill_tokens=16384, max_running_requests=48, context_len=16384, "
      "available_gpu_mem=13.38 GB\n");
  EXPECT_EQ(facts, (Map{{"free_after", "6.09"},
                        {"weights", "15.54"},
                        {"tokens", "46611"},
                        {"cache_pool", "46611"},
                        {"cache_kgb", "1.42"},
                        {"cache_vgb", "1.43"},
                        {"cache_slots", "48"},
                        {"cache_conv", "0.09"},
                        {"cache_ssm", "6.46"},
                        {"seqs", "48"},
                        {"context", "16384"}}));
  EXPECT_EQ(read_log("[TP0] max_total_num_tokens=5, context_len=7")->engine, "sglang");
}

TEST(ReadLog, LinesOfLlamaCpp) {
  const Map facts = facts_of(
      "llama_context: kv_unified    = false\n"
      "llama_kv_cache:      CUDA0 KV buffer size =  3584.00 MiB\n"
      "llama_kv_cache: size = 8192.00 MiB (131072 cells,  16 layers,  1/1 seqs), K (f16): 4096.00 "
      "MiB, V (q8_0): 4096.00 MiB\n"
      "load_tensors: offloaded 34/66 layers to GPU\n");
  EXPECT_EQ(facts, (Map{{"unified", "false"},
                        {"device", "CUDA0"},
                        {"kv_buffer", "3584.00"},
                        {"cache_size", "8192.00"},
                        {"cache_cells", "131072"},
                        {"cache_layers", "16"},
                        {"cache_seqs", "1/1"},
                        {"k_type", "f16"},
                        {"cache_k", "4096.00"},
                        {"v_type", "q8_0"},
                        {"cache_v", "4096.00"},
                        {"layers_on_gpu", "34"},
                        {"layers_in_all", "66"}}));
  // Old builds, and a continental locale.
  EXPECT_EQ(facts_of("llama_new_context_with_model: KV self size  = 3840,00 MiB, K (f16): 1920,00 "
                     "MiB, V (f16): 1920,00 MiB")["cache_size"],
            "3840,00");
}

TEST(ReadLog, LinesOfTensorRtLlm) {
  // NVIDIA/TensorRT-LLM, kvCacheManager.cpp and docs.
  const Map facts = facts_of(
      "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: "
      "79.10 GiB, available: 63.62 GiB\n"
      "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 4607\n"
      "[TensorRT-LLM][INFO] Number of tokens per block: 64.\n"
      "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 62.99 GiB for max tokens in paged KV cache "
      "(294848).\n"
      "[02/14/2025-09:38:53] [TRT-LLM] [I] max_seq_len=131072, max_num_requests=2048, "
      "max_num_tokens=8192, max_batch_size=64\n");
  EXPECT_EQ(facts, (Map{{"total", "79.10"},
                        {"free_after", "63.62"},
                        {"blocks", "4607"},
                        {"block", "64"},
                        {"paged_size", "62.99"},
                        {"tokens", "294848"},
                        {"context", "131072"},
                        {"batched", "8192"},
                        {"seqs", "64"}}));
}

TEST(ReadLog, CommandLines) {
  struct Case {
    const char* text;
    const char* engine;
    Map settings;
  };
  const Case kCases[] = {
      {"$ vllm serve Qwen/Qwen3-32B --tensor-parallel-size=2 --max_model_len 32k -dp 2",
       "vllm",
       {{"model", "Qwen/Qwen3-32B"}, {"tp", "2"}, {"context", "32000"}, {"dp", "2"}}},
      {"python3 -m vllm.entrypoints.openai.api_server --model=m/x --kv-cache-dtype fp8_e4m3 "
       "--enable-expert-parallel",
       "vllm",
       {{"model", "m/x"}, {"kv", "fp8"}, {"expertparallel", "on"}}},
      {"docker run --gpus all vllm/vllm-openai:v0.11.0 --model m/x --max-num-seqs 8 \\\n"
       "   --gpu-memory-utilization 0.85",
       "vllm",
       {{"version", "0.11.0"}, {"model", "m/x"}, {"seqs", "8"}, {"util", "0.85"}}},
      {"vllm serve m/x --speculative-config '{\"method\": \"deepseek_mtp\", "
       "\"num_speculative_tokens\": 3}'",
       "vllm",
       {{"model", "m/x"}, {"drafter", "mtp"}, {"draft", "3"}}},
      {"python -m sglang.launch_server --model-path m/x --tp 8 --dp 8 --enable-dp-attention "
       "--kv-cache-dtype fp8_e4m3",
       "sglang",
       {{"model", "m/x"}, {"tp", "8"}, {"dp", "8"}, {"dpattention", "on"}, {"kv", "fp8"}}},
      {"sglang serve --model-path m/x --mem-fraction-static 0.82 --page-size 64",
       "sglang",
       {{"model", "m/x"}, {"util", "0.82"}, {"block", "64"}}},
      {"./build/bin/llama-server -m /models/x.gguf -c 32768 -np 4 -fa on -ctk q8_0 -ctv q8_0 -ngl "
       "99 --no-mmap",
       "llama.cpp",
       {{"model", "/models/x.gguf"},
        {"nctx", "32768"},
        {"seqs", "4"},
        {"fa", "on"},
        {"k", "q8_0"},
        {"v", "q8_0"}}},
      {"llama-cli -m x.gguf -fa -ngl 20",
       "llama.cpp",
       {{"model", "x.gguf"}, {"fa", "on"}, {"ngl", "20"}}},
      {"level=INFO msg=\"starting llama server\" cmd=\"/usr/bin/ollama runner --model "
       "/b/sha256-6a --ctx-size 8192 --batch-size 512 --parallel 2 --port 42357\"",
       "ollama",
       {{"model", "/b/sha256-6a"}, {"nctx", "8192"}, {"seqs", "2"}}},
      {"OLLAMA_CONTEXT_LENGTH=16384 OLLAMA_KV_CACHE_TYPE=q8_0 OLLAMA_FLASH_ATTENTION=1 ollama "
       "serve",
       "ollama",
       {{"context", "16384"}, {"kv", "q8_0"}, {"fa", "on"}}},
      // sgl-project/sglang, srt/server_args.py.
      {"python -m sglang.launch_server --model-path m/x --disable-radix-cache --mamba-ssm-dtype "
       "bfloat16",
       "sglang",
       {{"model", "m/x"}, {"prefixcaching", "off"}, {"statetype", "bfloat16"}}},
      {"llama-server -m x.gguf -sm layer -ts 3,1 -md draft.gguf",
       "llama.cpp",
       {{"model", "x.gguf"}, {"pp", "2"}, {"draftmodel", "draft.gguf"}}},
      {"vllm serve m/x --speculative-config '{\"method\": \"draft_model\", \"model\": \"m/y\", "
       "\"num_speculative_tokens\": 2}'",
       "vllm",
       {{"model", "m/x"}, {"draftmodel", "m/y"}, {"draft", "2"}}},
      // NVIDIA/TensorRT-LLM, tensorrt_llm/llmapi/llm_args.py.
      {"trtllm-serve m/x --tp_size 8 --extra_llm_api_options <(echo '{enable_attention_dp: true, "
       "kv_cache_config: {max_tokens: 4096, dtype: fp8, tokens_per_block: 64, "
       "max_attention_window: [1024, 8192], enable_block_reuse: false}, speculative_config: "
       "{decoding_type: MTP, num_nextn_predict_layers: 2}}')",
       "trtllm",
       {{"model", "m/x"},
        {"tp", "8"},
        {"dpattention", "on"},
        {"pool", "4096tok"},
        {"kv", "fp8"},
        {"block", "64"},
        {"attentionwindow", "1024"},
        {"prefixcaching", "off"},
        {"drafter", "mtp"},
        {"draft", "2"}}},
      {"trtllm-serve serve m/x --tp_size 4 --max_seq_len 8192 --kv_cache_free_gpu_memory_fraction "
       "0.9 --backend pytorch",
       "trtllm",
       {{"model", "m/x"},
        {"tp", "4"},
        {"context", "8192"},
        {"util", "0.9"},
        {"backend", "pytorch"}}},
      {"INFO [utils.py:233] non-default args: {'model': 'm/x', 'max_model_len': 8192, "
       "'kv_cache_dtype': 'fp8', 'enable_prefix_caching': False, 'served_model_name': ['a']}",
       "vllm",
       {{"model", "m/x"}, {"context", "8192"}, {"kv", "fp8"}, {"prefixcaching", "off"}}},
      {"[2026] server_args=ServerArgs(model_path='m/x', context_length=None, tp_size=2, "
       "mem_fraction_static=0.88, kv_cache_dtype='auto', lora_paths=None)",
       "sglang",
       {{"model", "m/x"}, {"tp", "2"}, {"util", "0.88"}}},
  };
  for (const Case& c : kCases) {
    const auto log = read_log(c.text);
    ASSERT_TRUE(log) << c.text;
    EXPECT_EQ(log->engine, c.engine) << c.text;
    EXPECT_EQ(settings_of(c.text), c.settings) << c.text;
  }
}

TEST(ReadLog, UnknownFlagsAreListedWithoutTheirValues) {
  const auto log =
      read_log("vllm serve m/x --frob sk-secret --max-lora-rank 64 --max-model-len no");
  ASSERT_TRUE(log);
  ASSERT_EQ(log->commands.size(), 1u);
  EXPECT_EQ(log->commands[0].unknown, (std::vector<std::string>{"--frob"}));
  EXPECT_EQ(log->commands[0].uncounted, (std::vector<std::string>{"--max-lora-rank"}));
  EXPECT_EQ(log->commands[0].unread, (std::vector<std::string>{"--max-model-len no"}));
}

TEST(ReadLog, AServiceNamedLikeAProgramIsNoCommand) {
  const auto log = read_log("llama-server  | llama_context: n_ctx = 4096\n");
  ASSERT_TRUE(log);
  EXPECT_TRUE(log->commands.empty());
}

TEST(ReadLog, TheLastOfSeveralStartUpsCounts) {
  const auto log = read_log(
      "vLLM API server version 0.10.0\nGPU KV cache size: 100 tokens\n"
      "vLLM API server version 0.11.0\nGPU KV cache size: 200 tokens\n");
  ASSERT_TRUE(log);
  EXPECT_EQ(log->starts, 2u);
  ASSERT_EQ(log->readings.size(), 2u);
  EXPECT_EQ(log->readings[0].text, "0.11.0");
  EXPECT_EQ(log->readings[1].text, "200");
}

TEST(ReadLog, OfTwoEnginesTheFirstIsKept) {
  const char* vllm = "INFO GPU KV cache size: 404,352 tokens\n";
  const char* sglang = "[TP0] max_total_num_tokens=46611, max_running_requests=48, context_len=7\n";
  struct Case {
    std::string text;
    const char* engine;
    const char* tokens;
    const char* other;
  };
  const Case cases[] = {
      {std::string(vllm) + sglang, "vllm", "404,352", "SGLang"},
      {std::string(sglang) + sglang + vllm, "sglang", "46611", "vLLM"},
      {"vllm serve m/x --max-num-seqs 8\n" + std::string(sglang) + sglang, "vllm", "", "SGLang"},
  };
  for (const Case& one : cases) {
    const auto log = read_log(one.text);
    ASSERT_TRUE(log) << one.text;
    EXPECT_EQ(log->engine, one.engine) << one.text;
    EXPECT_EQ(log->others, std::vector<std::string>{one.other}) << one.text;
    EXPECT_EQ(facts_of(one.text)["tokens"], one.tokens) << one.text;
  }
  EXPECT_TRUE(read_log(vllm)->others.empty());
}

TEST(ReadLog, NothingRecognisedIsARefusalWithARemedy) {
  for (const std::string_view text :
       {"", "\n\n", "hello", "use vllm serve instead", "{\"model\": \"x\"}"}) {
    const auto log = read_log(text);
    ASSERT_FALSE(log) << text;
    EXPECT_EQ(log.error().code, "E-LOG");
    EXPECT_FALSE(log.error().remedy.empty());
  }
}

TEST(ReadLog, TooLongIsRefusedBeforeItIsRead) {
  EXPECT_EQ(read_log(std::string(8 * 1024 * 1024 + 1, 'x')).error().code, "E-LOG");
  EXPECT_EQ(read_log(std::string(200'001, '\n')).error().code, "E-LOG");
}

TEST(ReadLog, HostileTextTakesLinearTime) {
  // Each would be quadratic for a reader that starts over: 8 MiB in well under a second each.
  for (const std::string& piece :
       {std::string("size = "), std::string("size =") + std::string(100, ' '), std::string("(((("),
        std::string("model buffer "), std::string("\x1b["), std::string("'a': {"),
        std::string("--x="), std::string("GPU KV cache size: 1")}) {
    std::string text = "server_args=ServerArgs(";
    while (text.size() + piece.size() < 2 * 1024 * 1024) text += piece;
    (void)read_log(text);
    (void)read_log("vllm serve a/b " + text);
  }
}

TEST(ReadLog, ReadingsAreCapped) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += "GPU KV cache size: " + std::to_string(i) + " tokens\n";
  const auto log = read_log(text);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->readings.size(), 2048u);
  EXPECT_TRUE(log->truncated);
}

TEST(ReadLog, BadUtf8BecomesValid) {
  const auto log = read_log("general.name = \xff\xfe model\n");
  ASSERT_TRUE(log);
  EXPECT_EQ(log->readings[0].text, "\xef\xbf\xbd\xef\xbf\xbd model");
}

}  // namespace
}  // namespace kvseats::logs
