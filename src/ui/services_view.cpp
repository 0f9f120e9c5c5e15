#include <algorithm>
#include <cmath>
#include <optional>

#include "traffic/named.h"
#include "ui/panel.h"
#include "ui/service_edit.h"
#include "ui/traffic_state.h"
#include "units/text.h"

// The view of services: what people ask for as a table that is typed into, who asks, how long
// their requests are, and how many fit.
namespace kvseats::ui {
namespace {

using chart::Ink;
using scenario::Report;

constexpr float kGap = 8.0F;
constexpr float kRoomy = 760.0F;  // px: from here on a row for each service
constexpr std::string_view kParts[] = {"Name", "Prompt, tokens", "Output, tokens", "Users"};
constexpr std::string_view kOf[] = {"Name of ", "Prompt of ", "Output of ", "Users of "};

ImGuiID cell_id(std::size_t at, int part) {
  return Kit::id("cell " + units::plain(at) + " " + units::plain(static_cast<std::uint64_t>(part)));
}

// "31 of 100 fit, 4 × H100 needed".
std::string fit_of(const Report::ServiceAnswer& answer) {
  const std::size_t colon = answer.sentence.rfind(": ");
  return colon == std::string::npos ? answer.sentence : answer.sentence.substr(colon + 2);
}

std::string holds(const Ui& ui, const Report::ServiceAnswer& answer) {
  return units::size_text(answer.request_bytes, ui.store.unit());
}

// Widths of the columns of a roomy table: four fields, what each holds, how many fit, the cross.
struct Columns {
  float at[7];
  float wide[7];
  Columns(float x, float width, float cross) {
    constexpr float kShares[] = {0.15F, 0.19F, 0.19F, 0.10F, 0.135F, 0.235F};
    const float room = width - cross - kGap;
    for (int i = 0; i < 6; ++i) {
      at[i] = std::round(x);
      wide[i] = std::round(room * kShares[i]) - kGap;
      x += room * kShares[i];
    }
    at[6] = std::round(x) + kGap;
    wide[6] = cross;
  }
};

bool cross_button(Ui& ui, const ImRect& rect, const std::string& name) {
  return button(ui.kit, Kit::id("without " + name), rect, "\xC3\x97", ButtonLook::kPlain,
                "Remove " + name);
}

// One service in a row; true when it is to go.
bool roomy_row(Ui& ui, std::size_t at, const Report::ServiceAnswer& answer, const Columns& columns,
               float y, float& tall) {
  Kit& kit = ui.kit;
  const float bottom = y + kit.skin.control;
  for (int i = 0; i < 4; ++i) {
    const ImRect rect(columns.at[i], y, columns.at[i] + columns.wide[i], bottom);
    service_field(ui, cell_id(at, i), rect, at, static_cast<ServicePart>(i),
                  std::string(kOf[i]) + answer.name);
  }
  const ImRect row(columns.at[4], y, columns.at[4], bottom);
  const float size = kit.skin.text_control;
  kit.text_cut(columns.at[4], Kit::baseline_in(row, size), size, Ink::kInk, holds(ui, answer),
               columns.wide[4]);
  const std::string fit = fit_of(answer);
  const Ink ink = answer.fits ? Ink::kInk : Ink::kBad;
  const bool one = kit.width(fit, 13.0F) <= columns.wide[5];
  const float above = one ? (kit.skin.control - 18.0F) / 2.0F : -1.0F;
  const float said =
      kit.paragraph(columns.at[5], y + above, columns.wide[5], 13.0F, 18.0F, ink, fit);
  kit.record(cell_id(at, 5), answer.name + " fits", Role::kText,
             {columns.at[4], y, columns.at[5] + columns.wide[5], y + said}, fit, {});
  tall = std::max(kit.skin.control, said);
  return cross_button(ui, {columns.at[6], y, columns.at[6] + columns.wide[6], bottom}, answer.name);
}

// The same as a block, where a row would be too narrow.
bool narrow_block(Ui& ui, std::size_t at, const Report::ServiceAnswer& answer, float x, float y,
                  float width, float& tall) {
  Kit& kit = ui.kit;
  const float start = y;
  const float cross = kit.skin.control;
  const auto field = [&](int part, float left, float top, float wide) {
    service_field(ui, cell_id(at, part), {left, top, left + wide, top + kit.skin.control}, at,
                  static_cast<ServicePart>(part), std::string(kOf[part]) + answer.name);
  };
  const auto above = [&](int part, float left, float top) {
    const std::string_view words = kParts[part].substr(0, kParts[part].find(','));
    kit.text(left, top + 12.0F, kit.skin.text_label, Ink::kSoft, words);
  };
  const float line = 18.0F + kit.skin.control + 4.0F;
  const bool tight = width < 260.0F;  // large text on a telephone: one field to a line
  const float users = tight ? 0.0F : 76.0F + kGap;
  const float name = width - cross - users - kGap;
  above(0, x, y);
  field(0, x, y + 18.0F, name);
  const bool gone = cross_button(
      ui, {x + width - cross, y + 18.0F, x + width, y + 18.0F + kit.skin.control}, answer.name);
  if (!tight) {
    above(3, x + name + kGap, y);
    field(3, x + name + kGap, y + 18.0F, users - kGap);
  }
  y += line;
  const float half = std::round((width - kGap) / 2.0F);
  for (int i = 1; i < (tight ? 4 : 3); ++i) {
    const float left = tight || i == 1 ? x : x + half + kGap;
    above(i, left, y);
    field(i, left, y + 18.0F, tight ? width : i == 1 ? half : width - half - kGap);
    if (tight || i == 2) y += line;
  }
  const std::string words = "Each holds " + holds(ui, answer) + ": " + fit_of(answer) + ".";
  const float said =
      kit.paragraph(x, y, width, 13.0F, 18.0F, answer.fits ? Ink::kInk : Ink::kBad, words);
  kit.record(cell_id(at, 5), answer.name + " fits", Role::kText, {x, y, x + width, y + said},
             fit_of(answer), {});
  tall = y + said - start;
  return gone;
}

// As the page key `shown`: nothing for the first.
std::string shown_text(std::size_t at) {
  return at == 0 ? std::string() : units::plain(at + 1);
}

float table(Ui& ui, float x, float y, float width) {
  const std::vector<Report::ServiceAnswer>& answers = ui.store.answer().report.services;
  const bool roomy = width >= kRoomy;
  const Columns columns(x, width, ui.kit.skin.control);
  const float start = y;
  if (roomy && !answers.empty()) {
    constexpr std::string_view kHeads[] = {kParts[0], kParts[1],    kParts[2],
                                           kParts[3], "Each holds", "At once"};
    for (int i = 0; i < 6; ++i) {
      ui.kit.text(columns.at[i], y + 12.0F, ui.kit.skin.text_label, Ink::kSoft, kHeads[i]);
    }
    y += 18.0F;
  }
  std::optional<std::size_t> gone;
  for (std::size_t i = 0; i < answers.size() && i < ui.store.scenario().services.size(); ++i) {
    float tall = 0;
    const bool cross = roomy ? roomy_row(ui, i, answers[i], columns, y, tall)
                             : narrow_block(ui, i, answers[i], x, y, width, tall);
    if (cross) gone = i;
    for (int part = 0; part < 4; ++part) {
      if (ui.kit.edit.id == cell_id(i, part)) ui.view.traffic->edited = i;
    }
    y += tall + (roomy ? kGap : 20.0F);
  }
  if (gone) remove_service(ui, *gone);
  return y - start + refusal(ui, "service", x, y - kGap, width);
}

// The present request as a service, or one that somebody measured.
float adders(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const std::size_t count = ui.store.scenario().services.size();
  if (count >= scenario::kMaxServices) return 0.0F;
  constexpr std::string_view kWords = "Add a service";
  const float wide = std::ceil(kit.width(kWords, kit.skin.text_control)) + 24.0F;
  if (button(kit, Kit::id("add a row"), {x, y, x + wide, y + kit.skin.control}, kWords,
             ButtonLook::kBordered, "Add a row")) {
    add_present_service(ui, cell_id(count, 0));
  }
  const float start = y;
  const bool below = width - wide - kGap < 120.0F;
  const float left = below ? x : x + wide + kGap;
  if (below) y += kit.skin.control + kGap;
  const ImRect rect(left, y, std::min(x + width, left + 220.0F), y + kit.skin.control);
  const ImGuiID id = Kit::id("measured service");
  if (combo(kit, id, rect, "Add a measured one", "Add a measured one", {})) {
    std::vector<PickRow> rows;
    for (const traffic::NamedService& one : traffic::named_services()) {
      rows.push_back({std::string(one.name), std::string(one.name), std::string(one.what)});
    }
    const int chosen = pick_list(kit, id, rect, {}, rows, {});
    if (chosen >= 0) {
      const auto& one = traffic::named_services()[static_cast<std::size_t>(chosen)];
      ServiceList list = service_list(ui);
      list.push_back({std::string(one.name), std::string(one.prompt), std::string(one.output),
                      units::plain(ui.store.answer().report.users.asked)});
      push_services(ui, list, 0, false);
    }
  }
  return y - start + kit.skin.control + 12.0F;
}

// Where lengths come from that somebody measured.
float sources(Ui& ui, float x, float y, float width) {
  const float start = y;
  std::string_view last;
  for (const scenario::ServiceText& service : service_list(ui)) {
    for (const traffic::NamedService& one : traffic::named_services()) {
      if (one.prompt != service.prompt || one.source == last) continue;
      y += said(ui, "Source of " + service.name,
                "Measured: " + service.name + ", " + std::string(one.source) + ".", x, y, width,
                Ink::kSoft);
      last = one.source;
    }
  }
  return y - start;
}

// People, their share, pauses or a rate, turns and what prompts share: a field for each.
float who_asks(Ui& ui, const TrafficState& state, float x, float y, float width) {
  struct Asked {
    std::string_view key, label, resolved;
  };
  constexpr Asked kAsked[] = {{"people", "People", ""},
                              {"active", "Share that asks", "100 %"},
                              {"think", "Think time, seconds", ""},
                              {"rate", "Or requests a second", ""},
                              {"turns", "Turns of a session", "1"},
                              {"prefix", "Shared system prompt", "0"}};
  Kit& kit = ui.kit;
  const float start = y;
  y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, "Who asks", true) + 4.0F;
  const int across = width >= 900.0F ? 6 : width >= 480.0F ? 3 : width >= 260.0F ? 2 : 1;
  const float part =
      std::round((width - kGap * static_cast<float>(across - 1)) / static_cast<float>(across));
  const float tall = 18.0F + kit.skin.control + kGap;
  for (int i = 0; i < 6; ++i) {
    const float left = x + (part + kGap) * static_cast<float>(i % across);
    const float top = y + tall * static_cast<float>(i / across);
    kit.text_cut(left, top + 12.0F, kit.skin.text_label, Ink::kSoft, kAsked[i].label, part);
    key_field(ui, {left, top + 18.0F, left + part, top + 18.0F + kit.skin.control},
              {.key = kAsked[i].key, .label = kAsked[i].label, .resolved = kAsked[i].resolved});
  }
  y += tall * static_cast<float>((6 + across - 1) / across);
  for (const Asked& asked : kAsked) y += refusal(ui, asked.key, x, y - kGap, width);
  const scenario::Simulated& now = state.run->result();
  y += said(ui, "People at once", now.at_once.empty() ? "" : "At once: " + now.at_once + ".", x, y,
            width);
  return y - start + 12.0F;
}

// Which service the pictures are of.
float which(Ui& ui, TrafficState& state, float x, float y, float width) {
  const auto& list = state.run->result().services;
  if (list.size() < 2) return 0.0F;
  Kit& kit = ui.kit;
  const ImRect rect(x, y, x + std::min(width, 240.0F), y + kit.skin.control);
  const ImGuiID id = Kit::id("service shown");
  if (combo(kit, id, rect, "Service shown", list[state.service].name, "shown below")) {
    std::vector<PickRow> rows;
    for (std::size_t i = 0; i < list.size(); ++i) {
      rows.push_back({units::plain(i), list[i].name, {}});
    }
    const int chosen = pick_list(kit, id, rect, {}, rows, units::plain(state.service));
    if (chosen >= 0) {
      state.edited.reset();
      Action action;
      action.page = {{"shown", shown_text(static_cast<std::size_t>(chosen))}};
      kit.push(std::move(action));
    }
  }
  return kit.skin.control + 16.0F;
}

float pictures(Ui& ui, TrafficState& state, float x, float y, float width) {
  constexpr float kBetween = 32.0F;
  const float start = y;
  const bool beside = width >= 640.0F;
  const float each = beside ? std::floor((width - kBetween) / 2.0F) : width;
  const float left = still_plot(ui, state.prompts_plot, state.prompts, state.revision, x, y, each);
  const float top = beside ? y : y + left;
  const float right = still_plot(ui, state.answers_plot, state.answers, state.revision,
                                 beside ? x + each + kBetween : x, top, each);
  y = std::max(y + left, top + right);
  if (!state.overflow.series.empty()) {
    y += still_plot(ui, state.overflow_plot, state.overflow, state.revision, x, y, width);
  }
  return y - start;
}

}  // namespace

float services_view(Ui& ui, float x, float y, float width) {
  const float start = y;
  const Report& report = ui.store.answer().report;
  TrafficState& state = traffic_now(ui);
  y += 12.0F;
  if (report.services.empty()) {
    y += said(ui, "No services",
              "Name what people really ask for: a service has a name, the lengths of its prompts "
              "and answers, and users who want it at once. A length is a number (1000), a range "
              "(500-2000), two quantiles (p50=800/p95=3000) or a list (128@30/256@12).",
              x, y, width, Ink::kSoft) +
         4.0F;
  }
  y += table(ui, x, y, width);
  y += adders(ui, x, y, width);
  if (!report.services.empty()) {
    std::string together = report.services_together.sentence;
    if (!together.empty()) together[0] = units::lower(together)[0] == 'a' ? 'A' : 'T';
    y += said(ui, "Together", together + ".", x, y, width,
              report.services_together.fits ? Ink::kInk : Ink::kBad);
  }
  y += sources(ui, x, y, width) + 12.0F;
  y += who_asks(ui, state, x, y, width);
  const scenario::Simulated& now = state.run->result();
  if (!now.ok) return y - start + diagnostics_text(ui.kit, now.diagnostics, x, y, width);
  chart_service(ui, state);
  y += which(ui, state, x, y, width);
  y += pictures(ui, state, x, y, width);
  y += text_table(ui, "How many fit by the sum, not by the longest", scenario::sizing_table(now), x,
                  y, width);
  return y - start;
}

}  // namespace kvseats::ui
