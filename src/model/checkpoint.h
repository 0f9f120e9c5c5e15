#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model.h"
#include "units/diagnostic.h"

/// What a model is beside its cache, as one line: the contract's `checkpoint=` key, which stands
/// beside `shape=` in the link of an imported model, so that another machine computes the same
/// weights, activations and defaults without the file.
///
///     checkpoint := item { "," item }        item := name "=" value
///
/// | name | value |
/// | --- | --- |
/// | `arch` | `model_type` or `general.architecture`, a tag |
/// | `hf` | owner/name |
/// | `hidden` `heads` `vocab` `maxlen` `mtp` | whole numbers, as in `Model` |
/// | `tied` | 1: one matrix for embeddings and output head |
/// | `params` `active` | numbers in all, numbers used per token |
/// | `type` | `bf16` (left out), `f16`, `f32`: the activations' type |
/// | `cache` | the cache format that the checkpoint declares |
/// | `experts` | routed x per token x shared x width x layers |
/// | `size` | bytes of the published weights |
/// | `part` | params*format[*bytes][*routed][*kept][*label], repeatable, one for each kind of
/// tensor |
///
/// `llama-3.1-8b` is
/// `arch=llama,hidden=4096,heads=32,vocab=128256,maxlen=131072,params=8030261248`.
namespace kvseats::model {

/// Everything of `model` that arithmetic reads and `to_shape` does not carry; empty for a model of
/// which nothing is known beside its cache. At most 4,096 bytes.
[[nodiscard]] std::string to_checkpoint(const Model& model);

/// Sets the members that `text` names, leaves the others; `params` drops the parts and the size
/// that there were. `E-CHECKPOINT` (where: `checkpoint`) names the item that it could not read;
/// `model` is unchanged then.
[[nodiscard]] tl::expected<void, units::Diagnostic> read_checkpoint(std::string_view text,
                                                                    Model& model);

}  // namespace kvseats::model
