#include "cli/options.h"
#include "scenario/fields.h"

// help: all commands in short, or one of them.
namespace kvseats::cli {
namespace {

struct Command {
  std::string_view name;
  std::string_view short_lines;  // in the list of all
  std::string_view details;      // alone
};

constexpr Command kCommands[] = {
    {"eval",
     "  kvseats eval KEY=VALUE…             the answer, with --json, --markdown or --csv\n"
     "                                      --byhand (=markdown, =latex): as arithmetic\n"
     "  kvseats eval -                      queries from standard input, one a line\n",
     "The answer for one deployment: keys as words, a link or its query, or model=FILE.\n"
     "--flags prints the engine's command line. With - each answer is one line.\n\n"
     "  kvseats eval model=llama-3.3-70b gpu=h100-sxm tp=4 engine=vllm users=40\n"
     "  kvseats eval model=llama-3.1-8b pool=53GB --byhand\n"},
    {"solve", "  kvseats solve for=context|users|gpus|pareto|lever|offload KEY=VALUE…\n",
     "One thing is left open and looked for; --json has all of it.\n\n"
     "  for=context   longest request, alone and with users= at once\n"
     "  for=users     requests at once\n"
     "  for=gpus      fewest GPUs for users=, of each of gpu=a,b,c; node=8 multinode=on|off;\n"
     "                lists kv=auto,fp8 weights=auto,fp8,int4: the first format that needs fewest\n"
     "  for=pareto    what no other layout beats in cost and in room; price=2.5,3.5, one a gpu\n"
     "  for=lever     the cheapest change that lets users= run, or that brings more\n"
     "  for=offload   most layers on one card (engine=llama.cpp)\n\n"
     "  kvseats solve for=gpus model=llama-3.3-70b context=128k users=64 gpu=h100-sxm,h200\n"},
    {"report", "  kvseats report KEY=VALUE…           one page to hand on, --markdown or --html\n",
     "Question, answer, assumptions, formulas with their numbers, plots and the link on one\n"
     "page: Markdown, or --html to print.\n\n"
     "  kvseats report model=llama-3.1-8b users=100 --html > report.html\n"},
    {"sweep", "  kvseats sweep KEY=a,b,c KEY=1k..128k*2 …\n",
     "One row for each combination: KEY=a,b,c is a list, KEY=1k..128k*2 and KEY=0..100+10 are\n"
     "ranges. At most 10,000 rows. columns= names paths of the JSON; --csv, --json, --markdown.\n"
     "\n"
     "  kvseats sweep context=8k..128k*2 kv=bf16,fp8 columns=concurrency.requests --csv\n"},
    {"compare", "  kvseats compare 'QUERY' 'QUERY'…    scenarios beside each other; models=a,b,c\n",
     "Scenarios beside each other, each one quoted word; a KEY=VALUE of its own holds for all of\n"
     "them. models=a,b,c takes the first scenario with each of those models. At most as many as\n"
     "a page shows; --json, --csv, --markdown.\n\n"
     "  kvseats compare 'model=llama-3.1-8b kv=bf16' 'model=llama-3.1-8b kv=fp8' context=32k\n"
     "  kvseats compare models=llama-3.1-8b,gemma-3-27b gpu=h100-sxm users=50\n"},
    {"simulate",
     "  kvseats simulate KEY=VALUE…         an hour of traffic, with seed=1 minutes=60 speed=30,\n"
     "                                      as rate=10 service=chat:p50=800/p95=3000+200-600x100\n",
     "Requests that come and go, paged and with memory reserved: how many run, wait and are\n"
     "preempted. The same seed= gives the same hour; speed= is tokens a second of one request,\n"
     "without it an estimate. --csv is the course over time.\n\n"
     "  kvseats simulate model=llama-3.1-8b engine=vllm rate=10 seed=7 minutes=30\n"},
    {"lengths",
     "  kvseats lengths FILE|-              real lengths, a list or a CSV with column=NAME, or\n"
     "                                      prompt=NAME output=NAME, as the text of service=\n",
     "Real lengths as a distribution that service= takes, with their quantiles. Two numbers in\n"
     "every line, without names, are prompt and output.\n\n"
     "  kvseats lengths log.csv prompt=input_tokens output=output_tokens\n"},
    {"list", "  kvseats list models|gpus|engines|formats|keys|presets|services\n",
     "What the program knows by name; --json, --csv, --markdown.\n\n"
     "  kvseats list models --csv > models.csv\n"},
    {"check",
     "  kvseats check LOG|- KEY=VALUE…      an engine's log or command line beside the "
     "prediction\n",
     "What an engine printed at its start beside what was expected, row by row, with causes\n"
     "where they differ.\n\n"
     "  vllm serve … 2>&1 | kvseats check - gpu=h100-sxm\n"},
    {"import",
     "  kvseats import FILE…                what a config.json, GGUF or safetensors file says\n",
     "A model file as keys that any command takes; several files of one model are read together.\n"
     "\n"
     "  kvseats import config.json model.safetensors.index.json\n"},
};

std::string keys() {
  std::string out = "Keys (the same as in a link):\n";
  for (const scenario::Field& field : scenario::fields()) {
    std::string key = "  " + std::string(field.key);
    key.resize(14, ' ');
    out += key + std::string(field.doc) + "\n";
  }
  return out + "\nTokens: 8192, 8k (k = 1,024). Sizes: 53GB, 49.4GiB. Fractions: 0.9, 90%.\n";
}

}  // namespace

Result run_help(std::string_view topic) {
  Result result;
  for (const Command& command : kCommands) {
    if (command.name != topic) continue;
    result.out = std::string(command.short_lines) + "\n" + std::string(command.details) +
                 "\nkvseats help lists all commands and keys.\n";
    return result;
  }
  result.out = "kvseats: how long can one conversation be, and how many can run at once?\n\n";
  for (const Command& command : kCommands) result.out += command.short_lines;
  result.out += "\nkvseats help COMMAND says more. " + keys();
  return result;
}

}  // namespace kvseats::cli
