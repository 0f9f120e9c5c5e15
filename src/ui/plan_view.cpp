#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/panel.h"
#include "ui/traffic_state.h"
#include "ui/views.h"
#include "units/text.h"

// The view of the plan: two services and their bills, an hour of traffic, and what there is to
// rent.
namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;

void set_page(Ui& ui, std::vector<Edit> pairs, std::uint32_t gesture = 0) {
  Action action;
  action.page = std::move(pairs);
  action.gesture = gesture;
  ui.kit.push(std::move(action));
}

// A field of something that is in the link beside the scenario. Its text once it is final.
std::optional<std::string> page_field(Ui& ui, const ImRect& rect, std::string_view id,
                                      std::string_view label, const std::string& now,
                                      std::string_view fallback) {
  FieldLook look;
  look.numeric = true;
  look.quiet = now.empty();
  const FieldResult typed =
      text_field(ui.kit, Kit::id(id), rect, label, now.empty() ? fallback : std::string_view(now),
                 now.empty() ? fallback : std::string_view(now), look);
  if (!typed.touched || !typed.committed) return std::nullopt;
  return std::string(units::trimmed(typed.text));
}

void labelled(Ui& ui, float x, float y, std::string_view words, float room) {
  ui.kit.text_cut(x, y + 12.0F, ui.kit.skin.text_label, Ink::kSoft, words, room);
}

float bills(Ui& ui, const TrafficState& state, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  y += titled_bars(ui, state.bills, x, y, width);
  if (state.bills.bars.size() == 1) {
    y += said(ui, "Two bills",
              "With two services of different lengths here stand two bills: same model, same GPU.",
              x, y - 12.0F, width, Ink::kSoft) -
         4.0F;
  }
  const float part = std::min(std::round((width - kGap) / 2.0F), 180.0F);
  labelled(ui, x, y, part < 110.0F ? "Price" : "Price of a GPU-hour", part);
  labelled(ui, x + part + kGap, y, "Currency", part);
  y += 18.0F;
  key_field(ui, {x, y, x + part, y + kit.skin.control},
            {.key = "price", .label = "Price of a GPU-hour"});
  key_field(ui, {x + part + kGap, y, x + 2.0F * part + kGap, y + kit.skin.control},
            {.key = "currency", .label = "Currency"});
  y += kit.skin.control + kGap;
  for (const std::string_view key : {"price", "currency"})
    y += refusal(ui, key, x, y - kGap, width);
  y += said(ui, "Speed", state.speed, x, y + 4.0F, width, Ink::kSoft) + 4.0F;
  return y - start + 20.0F;
}

// How far both runs are, as a line.
void progress(Ui& ui, const TrafficState& state, const ImRect& rect) {
  Kit& kit = ui.kit;
  const double share = state.run->progress();
  const float middle = rect.GetCenter().y;
  const float end = rect.Min.x + rect.GetWidth() * static_cast<float>(share);
  kit.list().AddRectFilled({rect.Min.x, middle - 2.0F}, {rect.Max.x, middle + 2.0F},
                           kit.skin(Ink::kLine), 2.0F);
  kit.list().AddRectFilled({rect.Min.x, middle - 2.0F}, {end, middle + 2.0F}, kit.skin(Ink::kData),
                           2.0F);
  kit.record(Kit::id("progress"), "Done of the hour", Role::kText, rect,
             units::fixed(share * 100, 0) + " %", {});
}

// Minutes, seed, run or cancel; the height taken.
float run_controls(Ui& ui, TrafficState& state, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float field = std::min(92.0F, std::floor((width - kGap) / 2.0F));
  labelled(ui, x, y, "Minutes", field);
  labelled(ui, x + field + kGap, y, "Seed", field);
  float top = y + 18.0F;
  float bottom = top + kit.skin.control;
  const std::string minutes(ui.store.page("minutes"));
  const std::string seed(ui.store.page("seed"));
  if (const auto text =
          page_field(ui, {x, top, x + field, bottom}, "minutes", "Minutes", minutes, "60")) {
    set_page(ui, {{"minutes", *text == "60" ? "" : *text}});
  }
  float left = x + field + kGap;
  if (const auto text =
          page_field(ui, {left, top, left + field, bottom}, "seed", "Seed", seed, "1")) {
    set_page(ui, {{"seed", *text == "1" ? "" : *text}});
  }
  left += field + kGap;
  const bool runs = state.wanted && !state.done;
  const bool tight = left + 76.0F > x + width;
  if (tight) {
    left = x;
    top = bottom + kGap;
    bottom = top + kit.skin.control;
  }
  const ImRect press(left, top, left + 76.0F, bottom);
  if (button(kit, Kit::id("run traffic"), press,
             runs         ? "Cancel"
             : state.done ? "Again"
                          : "Run",
             ButtonLook::kBordered, runs ? "Cancel the traffic" : "Run the traffic")) {
    state.wanted = !runs;
    if (state.done || runs) state.asked.clear();  // from the start
  }
  left = press.Max.x + 16.0F;
  const bool below = x + width - left < 80.0F;
  if (runs) {
    const ImRect line(below ? x : left, below ? bottom : top, x + width,
                      below ? bottom + 20.0F : bottom);
    progress(ui, state, line);
  }
  return bottom - y + (below && runs ? 20.0F : 0.0F) + 12.0F;
}

float traffic_part(Ui& ui, TrafficState& state, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, "An hour of it", true) +
       4.0F;
  const scenario::Simulated& now = state.run->result();
  if (!now.ok) return y - start + diagnostics_text(kit, now.diagnostics, x, y, width) + 20.0F;
  y += run_controls(ui, state, x, y, width);
  go_on(ui, state);
  y += said(ui, "People at once", now.at_once.empty() ? "" : "At once: " + now.at_once + ".", x, y,
            width);
  y += said(ui, "Overflow", scenario::overflow_sentence(now), x, y, width);
  y += said(ui, "Pace", now.pace, x, y, width, Ink::kSoft);
  if (!state.running.series.empty()) {
    y += still_plot(ui, state.running_plot, state.running, state.revision, x, y + 8.0F, width) +
         8.0F;
  }
  if (state.done) y += text_table(ui, "What came of it", scenario::runs_table(now), x, y, width);
  return y - start + 12.0F;
}

// Slugs and prices back into the link.
void set_rented(Ui& ui, const std::vector<scenario::Rented>& list) {
  scenario::RentedText text = scenario::rented_text(list);
  set_page(ui, {{"gpus", std::move(text.gpus)}, {"prices", std::move(text.prices)}});
}

std::string name_of(const Ui& ui, const std::string& slug) {
  for (const device::Device& device : ui.store.catalogue().devices) {
    if (device.slug == slug) return device.short_name;
  }
  return slug;
}

// One accelerator beside the present one: its price, and a cross.
bool rented_row(Ui& ui, scenario::Rented& one, float x, float y, float width, bool& changed) {
  Kit& kit = ui.kit;
  const std::string name = name_of(ui, one.slug);
  const float high = kit.skin.control;
  const float field = std::min(120.0F, std::floor(width * 0.4F));
  const float names = std::min(160.0F, width - field - high - 2.0F * kGap);
  const ImRect row(x, y, x + names, y + high);
  kit.text_cut(x, Kit::baseline_in(row, kit.skin.text_control), kit.skin.text_control, Ink::kInk,
               name, names);
  const ImRect rect(x + names + kGap, y, x + names + kGap + field, y + high);
  const std::string label = "Price of " + name;
  if (const auto text = page_field(ui, rect, label, label, one.price, "")) {
    one.price = *text;
    changed = true;
  }
  return button(kit, Kit::id("leave " + one.slug),
                {rect.Max.x + kGap, y, rect.Max.x + kGap + high, y + high}, "\xC3\x97",
                ButtonLook::kPlain, "Leave out " + name);
}

float adder(Ui& ui, std::vector<scenario::Rented>& list, float x, float y, float width,
            bool& changed) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id("rent accelerator");
  const ImRect rect(x, y, x + std::min(width, 288.0F), y + kit.skin.control);
  if (combo(kit, id, rect, "An accelerator beside it", "Add an accelerator", {})) {
    const std::vector<PickRow> rows = device_rows(ui);
    const int chosen = pick_list(kit, id, rect, "Search accelerators", rows, {});
    if (chosen >= 0) {
      list.push_back({rows[static_cast<std::size_t>(chosen)].value, ""});
      changed = true;
    }
  }
  return kit.skin.control + 12.0F;
}

// Every offer with a button that makes it the deployment.
float offers(Ui& ui, const TrafficState& state, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  const float wide = std::ceil(kit.width("Use", kit.skin.text_control)) + 24.0F;
  for (const scenario::OfferAnswer& offer : state.offers.offers) {
    const float tall =
        std::max(kit.skin.control, kit.paragraph(x + wide + 12.0F, y + 5.0F, width - wide - 12.0F,
                                                 13.0F, 18.0F, Ink::kInk, offer.sentence) +
                                       5.0F);
    if (button(kit, Kit::id(offer.query), {x, y, x + wide, y + kit.skin.control}, "Use",
               ButtonLook::kBordered, "Use " + offer.sentence)) {
      Action action;
      action.kind = Action::Kind::kLoad;
      action.load = offer.query;
      kit.push(std::move(action));
    }
    y += tall + 6.0F;
  }
  return y - start + 12.0F;
}

float rent(Ui& ui, TrafficState& state, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, "What there is to rent",
                     true) +
       4.0F;
  const std::string& own = ui.store.answer().report.gpu.short_name;
  y += said(ui, "To rent",
            "Every way to split this model over " + own +
                " and what stands below it: those that no other beats both in cost and in "
                "headroom. A price for each compares money; without, GPUs.",
            x, y, width, Ink::kSoft);
  std::vector<scenario::Rented> list = rented_beside(ui);
  bool changed = false;
  std::optional<std::size_t> gone;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (rented_row(ui, list[i], x, y, width, changed)) gone = i;
    y += kit.skin.control + kGap;
  }
  if (gone) list.erase(list.begin() + static_cast<std::ptrdiff_t>(*gone));
  y += adder(ui, list, x, y, width, changed);
  if (changed || gone) set_rented(ui, list);
  follow_offers(ui, state);
  const scenario::Solution& found = state.offers;
  units::Diagnostics told = found.diagnostics;
  std::erase_if(told,
                [](const units::Diagnostic& one) { return one.code == "N-PRICES"; });  // above
  y += diagnostics_text(kit, told, x, y, width);
  if (found.offers.empty()) return y - start + said(ui, "Offers", found.sentence, x, y, width);
  y += still_plot(ui, state.pareto_plot, state.pareto, state.offers_revision, x, y + 8.0F, width) +
       8.0F;
  return y - start + offers(ui, state, x, y, width);
}

}  // namespace

float plan_view(Ui& ui, float x, float y, float width) {
  const float start = y;
  TrafficState& state = traffic_now(ui);
  follow_bills(ui, state);
  y += 12.0F;
  y += bills(ui, state, x, y, width);
  y += traffic_part(ui, state, x, y, width);
  y += rent(ui, state, x, y, width);
  return y - start + 12.0F;
}

}  // namespace kvseats::ui
