// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/steps.h"

#include "wire/error.h"

namespace sbx::cli {

Client::OnEvent steps_and_result(OnStep on_step, std::function<Result<>(const Json& result)> on_result) {
  using Heard = Client::Heard;
  return [on_step = std::move(on_step), on_result = std::move(on_result)](const StreamEvent& event) -> Result<Heard> {
    TRY_ASSIGN(const Json json, parse_json(event.data));
    if (event.name == "error") return fail(wire::decode_error(json, 500));
    if (event.name == "progress") {
      TRY_ASSIGN(const Step step, value_of<Step>(json, "progress", Unknown::kIgnored));
      on_step(step);
    }
    if (event.name != "result") return Heard::kSome;
    TRY(on_result(json));
    return Heard::kAll;
  };
}

}  // namespace sbx::cli
