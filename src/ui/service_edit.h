#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenario/service_text.h"
#include "ui/views.h"

/// Services as they are edited, in the column of inputs and in their own view. They are one
/// repeatable key: all are set again with one of them changed.
namespace kvseats::ui {

using ServiceList = std::vector<scenario::ServiceText>;

[[nodiscard]] ServiceList service_list(const Ui& ui);
void push_services(Ui& ui, const ServiceList& list, std::uint32_t gesture, bool tentative);

enum class ServicePart : std::uint8_t { kName, kPrompt, kOutput, kUsers };
[[nodiscard]] std::string& part_of(scenario::ServiceText& service, ServicePart part);

/// A part of the service `at` as a field of this name; its length may be any text of
/// traffic/lengths.h.
void service_field(Ui& ui, ImGuiID id, const ImRect& rect, std::size_t at, ServicePart part,
                   std::string_view label);

/// The present request as a service, or one that was measured, with as many users as are wanted.
void add_present_service(Ui& ui, ImGuiID focus);
void remove_service(Ui& ui, std::size_t at);

}  // namespace kvseats::ui
