#include "scenario/solve.h"
#include "units/text.h"

// The words of a question: those of the search apart from those of the scenario.
namespace kvseats::scenario {
namespace {

void refuse(Question& out, std::string_view key, units::Diagnostic trouble) {
  trouble.where = std::string(key);
  out.decoded.diagnostics.push_back(std::move(trouble));
}

void read_node(std::string_view text, Question& out) {
  constexpr std::uint64_t kMostInNode = 1024;
  const auto node = units::parse_count(text);
  if (!node) return refuse(out, "node", node.error());
  if (*node < 1 || *node > kMostInNode) {
    return refuse(out, "node",
                  units::diagnose("E-RANGE", "", "A node holds between 1 and 1,024 GPUs",
                                  "Give node=8 or leave it out."));
  }
  out.bounds.node = static_cast<std::uint32_t>(*node);
}

void read_multinode(std::string_view text, Question& out) {
  if (text == "on" || text == "off") {
    out.bounds.multinode = text == "on";
    return;
  }
  refuse(out, "multinode",
         units::diagnose("E-CHOICE", "", "multinode is on or off", "Give multinode=on."));
}

// A value with commas is a list for the search, and no word of the scenario.
std::vector<std::string> taken_list(std::string_view key, std::vector<std::string_view>& words) {
  std::vector<std::string> list;
  std::erase_if(words, [&](std::string_view word) {
    if (!word.starts_with(key) || word.find(',') == std::string_view::npos) return false;
    list = split_list(word.substr(key.size()));
    std::erase(list, "");
    return true;
  });
  return list;
}

}  // namespace

Question read_question(std::span<const std::string_view> words, Strictness strictness) {
  Question out;
  std::vector<std::string_view> rest;
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (key == "for" && equals != std::string_view::npos) {
      out.target = units::valid_utf8(word.substr(equals + 1, 40));
    } else if (key != "node" && key != "multinode") {
      rest.push_back(word);
    }
  }
  const bool chooses = out.target == "gpus" || out.target == "pareto";
  if (chooses) out.gpus = taken_list("gpu=", rest);
  if (out.target == "gpus") {
    out.weights = taken_list("weights=", rest);
    out.caches = taken_list("kv=", rest);
  }
  if (out.target == "pareto") out.prices = taken_list("price=", rest);
  out.decoded = decode(rest, strictness);
  for (const std::string_view word : words) {
    if (word.starts_with("node=")) read_node(word.substr(5), out);
    if (word.starts_with("multinode=")) read_multinode(word.substr(10), out);
  }
  return out;
}

}  // namespace kvseats::scenario
