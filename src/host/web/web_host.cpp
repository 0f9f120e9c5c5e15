#include "host/web/web_host.h"

#include "units/json_writer.h"

namespace kvseats::host {

namespace {

void write_rect(units::JsonWriter& json, const ui::Rect& rect) {
  json.value(rect.x).value(rect.y).value(rect.w).value(rect.h);
}

void write_edit(units::JsonWriter& json, const ui::TextEdit& edit) {
  json.key("edit");
  if (!edit.active) {
    json.null();
    return;
  }
  json.open_object().field("id", std::uint64_t{edit.id});
  json.key("rect").open_array();
  write_rect(json, edit.rect);
  json.close_array();
  json.field("text", std::string_view(edit.text)).field("numeric", edit.numeric);
  json.field("label", std::string_view(edit.label)).field("font", edit.font_px).close_object();
}

void write_zones(units::JsonWriter& json, const std::vector<ui::Zone>& zones) {
  json.key("zones").open_array();
  for (const ui::Zone& zone : zones) {
    json.open_array().value(static_cast<std::uint64_t>(zone.kind));
    write_rect(json, zone.rect);
    json.value(zone.can_up).value(zone.can_down).close_array();
  }
  json.close_array();
}

// The lasting part of a result: what the page keeps until the next one.
std::string state_json(const ui::FrameResult& result, std::string_view error) {
  units::JsonWriter json;
  json.open_object();
  write_edit(json, result.edit);
  write_zones(json, result.zones);
  json.field("keys", std::uint64_t{result.keys});
  json.field("forward", result.tab_leaves_forward).field("backward", result.tab_leaves_backward);
  json.field("cursor", static_cast<double>(result.cursor));
  json.field("paper", std::uint64_t{result.paper}).field("height", result.content_height);
  json.field("error", error).close_object();
  return json.take();
}

}  // namespace

Support WebHost::wish(const char* kind, std::string_view text, std::string_view name) {
  wishes_.push_back({kind, std::string(text), std::string(name)});
  return Support::kDone;
}

Support WebHost::set_query(std::string_view query, bool dragging) {
  return wish("query", query, dragging ? "drag" : "");
}
Support WebHost::copy_text(std::string_view text) {
  return wish("copy", text, "");
}
Support WebHost::save_file(std::string_view name, std::string_view content) {
  return wish("save", content, name);
}
Support WebHost::open_file() {
  return wish("open", "", "");
}
Support WebHost::open_url(std::string_view url) {
  return url.starts_with("https://") ? wish("url", url, "") : Support::kUnsupported;
}
Support WebHost::announce(std::string_view sentence) {
  return wish("announce", sentence, "");
}

void WebHost::present(const ui::FrameResult& result) {
  result_ = result;
}

std::string WebHost::take_changes(std::string_view error) {
  std::string state = state_json(result_, error);
  if (wishes_.empty() && state == last_state_) return {};
  units::JsonWriter json;
  json.open_object().key("effects").open_array();
  for (const Wish& w : wishes_) {
    json.open_object().field("kind", std::string_view(w.kind));
    json.field("text", std::string_view(w.text)).field("name", std::string_view(w.name));
    json.close_object();
  }
  json.close_array().key("state").raw(state).close_object();
  wishes_.clear();
  last_state_ = std::move(state);
  return json.take();
}

}  // namespace kvseats::host
