#include "ui/store.h"

#include <algorithm>

#include "scenario/edit.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"

namespace kvseats::ui {
namespace {

constexpr std::size_t kMostUndo = 200;
constexpr std::string_view kView = "view";

}  // namespace

void Store::push(std::vector<Moment>& list, Moment moment) {
  if (list.size() >= kMostUndo) list.erase(list.begin());
  list.push_back(std::move(moment));
}

Store::Store(std::span<const std::byte> bytes) {
  auto read =
      catalogue::read_catalogue({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (read) {
    catalogue_ = std::move(*read);
  } else {
    broken_ = read.error().text;
  }
}

void Store::load(std::string_view query) {
  take(scenario::decode(query, scenario::Strictness::kLink));
}

void Store::load_over(std::string_view query) {
  scenario::Decoded decoded = scenario::decode(query, scenario::Strictness::kLink);
  decoded.page = page_;
  decoded.unknown = unknown_;
  take(std::move(decoded));
}

void Store::change_places(std::string_view query) {
  scenario::Decoded decoded = scenario::decode(query, scenario::Strictness::kLink);
  const std::string text = scenario::pin_text(query);
  std::vector<std::string> all = pins();
  std::replace(all.begin(), all.end(), text, scenario::encode(now_));
  decoded.page = page_;
  decoded.unknown = unknown_;
  scenario::set_pins(decoded.page, all);
  take(std::move(decoded));
}

void Store::take(scenario::Decoded decoded) {
  if (!(decoded.scenario == now_) || scenario::pins(decoded.page) != pins()) {
    if (answer_.revision != 0) push(past_, moment());
    future_.clear();
  }
  gesture_ = 0;
  now_ = std::move(decoded.scenario);
  page_ = std::move(decoded.page);
  unknown_ = std::move(decoded.unknown);
  link_diagnostics_ = std::move(decoded.diagnostics);
  trouble_ = {};
  if (broken_.empty()) answer_with(fall_back());
}

// A link whose value leaves nothing to answer gets the default in its place, and says so.
scenario::Report Store::fall_back() {
  for (int tries = 0; tries < 4; ++tries) {
    scenario::Report report = scenario::evaluate(now_, catalogue_);
    if (report.ok) return report;
    for (units::Diagnostic& why : report.diagnostics) {
      if (why.severity != units::Severity::kError) continue;
      scenario::clear_key(now_, why.where);
      link_diagnostics_.push_back(std::move(why));
    }
  }
  now_ = {};
  return scenario::evaluate(now_, catalogue_);
}

bool Store::apply(const Action& action) {
  switch (action.kind) {
    case Action::Kind::kEdit:
      return edit(action);
    case Action::Kind::kRevert:
      return revert(action.gesture);
    case Action::Kind::kUndo:
      return travel(past_, future_);
    case Action::Kind::kRedo:
      return travel(future_, past_);
    case Action::Kind::kPin:
    case Action::Kind::kUnpin:
      return pin(action);
    case Action::Kind::kLoad:
      load_over(action.load);
      return true;
  }
  return false;
}

bool Store::edit(const Action& action) {
  scenario::Scenario next = now_;
  for (const Edit& edit : action.edits) {
    if (auto set = scenario::edit_key(next, edit.key, edit.text, catalogue_); !set) {
      if (!action.tentative) trouble_ = {std::string(edit.key), edit.text, set.error()};
      return false;
    }
  }
  trouble_ = {};
  scenario::PageKeys page = page_;
  for (const Edit& edit : action.page) scenario::set_page_value(page, edit.key, edit.text);
  if (next == now_ && page == page_) return false;
  if (action.gesture == 0 || action.gesture != gesture_) push(past_, moment());
  gesture_ = action.gesture;
  future_.clear();
  restore({std::move(next), std::move(page)});
  return true;
}

void Store::restore(Moment moment) {
  page_ = std::move(moment.page);
  if (moment.scenario == now_) return present();
  now_ = std::move(moment.scenario);
  link_diagnostics_.clear();
  evaluate();
}

bool Store::pin(const Action& action) {
  Moment before = moment();
  const bool changed = action.kind == Action::Kind::kPin ? scenario::add_pin(page_, action.pin)
                                                         : scenario::remove_pin(page_, action.pin);
  if (!changed) return false;
  push(past_, std::move(before));
  gesture_ = 0;
  future_.clear();
  present();
  return true;
}

bool Store::revert(std::uint32_t gesture) {
  if (gesture == 0 || gesture != gesture_ || past_.empty()) return false;
  Moment back = std::move(past_.back());
  past_.pop_back();
  gesture_ = 0;
  restore(std::move(back));
  return true;
}

bool Store::travel(std::vector<Moment>& from, std::vector<Moment>& to) {
  if (from.empty()) return false;
  push(to, moment());
  Moment back = std::move(from.back());
  from.pop_back();
  scenario::set_page_value(back.page, kView, page(kView));
  gesture_ = 0;
  trouble_ = {};
  restore(std::move(back));
  return true;
}

void Store::evaluate() {
  if (broken_.empty()) answer_with(scenario::evaluate(now_, catalogue_));
}

void Store::answer_with(scenario::Report report) {
  diagnostics_ = link_diagnostics_;
  diagnostics_.insert(diagnostics_.end(), report.diagnostics.begin(), report.diagnostics.end());
  // Input without an answer: the last good one stays on screen.
  if (!report.ok && answer_.revision != 0) return;
  answer_.report = std::move(report);
  present();
}

void Store::present() {
  const scenario::Report& report = answer_.report;
  ++answer_.revision;
  if (!report.ok) return;
  answer_.figures = scenario::figures(report, unit());
  answer_.sentence = scenario::answer_sentence(report, unit());
  answer_.memory = scenario::memory_bar(report, unit());
  answer_.allocation = scenario::allocation_bars(report, unit());
  answer_.gpus = scenario::gpu_strip(report, unit());
  answer_.command = scenario::command_line(report);
  if (page("view") == "byhand" || page("view") == "memory")
    answer_.hand = scenario::by_hand(report, unit());
  if (page("view") == "compare") {
    answer_.compared = scenario::compare_link(query(), catalogue_, unit());
  }
  follow_pins();
  if (page("view") != "levers") return;  // several evaluations more
  answer_.levers = scenario::waterfall_bars(report, catalogue_);
  answer_.next = scenario::lever_bars(report);
}

void Store::follow_pins() {
  std::vector<Pinned> kept;
  answer_.pins.clear();
  answer_.pinned = pins();
  for (const std::string& query : answer_.pinned) {
    const auto had = std::find_if(pinned_.begin(), pinned_.end(),
                                  [&](const Pinned& pin) { return pin.query == query; });
    if (had != pinned_.end()) {
      kept.push_back(std::move(*had));
    } else {
      const auto decoded = scenario::decode(query, scenario::Strictness::kLink);
      kept.push_back({query, scenario::evaluate(decoded.scenario, catalogue_)});
    }
    answer_.pins.push_back(scenario::overlay_of(kept.back().report, answer_.report));
  }
  pinned_ = std::move(kept);
}

scenario::Overlay Store::ghost(const std::string& query) {
  if (ghost_.query != query) {
    const auto decoded = scenario::decode(query, scenario::Strictness::kLink);
    ghost_ = {query, scenario::evaluate(decoded.scenario, catalogue_)};
  }
  return scenario::overlay_of(ghost_.report, answer_.report);
}

std::uint64_t Store::output_share(std::uint64_t tokens, std::uint32_t gesture) {
  constexpr std::uint64_t kQuarter = 4;  // as the contract splits a bare context
  if (gesture == 0 || gesture != share_gesture_) {
    share_gesture_ = gesture;
    const std::uint64_t whole = answer_.report.per_request.tokens;
    const std::uint64_t part = now_.output   ? now_.output->value
                               : now_.prompt ? whole - std::min(whole, now_.prompt->value)
                                             : whole / kQuarter;
    share_ = whole == 0 ? units::Ratio{0, 1} : units::Ratio{std::min(part, whole), whole};
  }
  return std::min(tokens, units::mul_div_floor(tokens, share_.num, share_.den));
}

std::string_view Store::page(std::string_view key) const {
  return scenario::page_value(page_, key);
}

void Store::set_page(std::string_view key, std::string_view text) {
  scenario::set_page_value(page_, key, text);
  if (answer_.revision != 0) present();
}

std::string Store::query() const {
  std::string out = scenario::encode(now_);
  for (const auto* list : {&page_, &unknown_}) {
    for (const auto& [key, value] : *list) {
      if (!out.empty()) out += '&';
      out += scenario::percent_encode(key) + '=' + scenario::percent_encode(value);
    }
  }
  return out;
}

units::SizeUnit Store::unit() const {
  return page("unit") == "GB" ? units::SizeUnit::kGb : units::SizeUnit::kGib;
}

}  // namespace kvseats::ui
