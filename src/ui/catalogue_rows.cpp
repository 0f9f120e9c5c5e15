#include "ui/views.h"
#include "units/text.h"

// Models and accelerators as rows of a list, the same wherever one is chosen.
namespace kvseats::ui {

std::vector<PickRow> model_rows(const Ui& ui) {
  const auto& catalogue = ui.store.catalogue();
  std::vector<PickRow> rows;
  for (const std::size_t i : catalogue::search_models(catalogue, ui.kit.pick.filter)) {
    const model::Model& model = catalogue.models[i];
    rows.push_back({model.slug, model.name, model::geometry_text(model)});
  }
  return rows;
}

std::vector<PickRow> device_rows(const Ui& ui) {
  const auto& catalogue = ui.store.catalogue();
  std::vector<PickRow> rows;
  for (const std::size_t i : catalogue::search_devices(catalogue, ui.kit.pick.filter)) {
    const device::Device& device = catalogue.devices[i];
    rows.push_back(
        {device.slug, device.name, units::size_text(device::seen_memory(device), ui.store.unit())});
  }
  return rows;
}

}  // namespace kvseats::ui
