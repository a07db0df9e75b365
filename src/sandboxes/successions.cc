// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/successions.h"

#include <algorithm>

namespace sbx::sandboxes {
namespace {

using wire::UpdateState;

bool differ_in_last_layer_only(const store::TemplateRef& a, const store::TemplateRef& b) {
  return a.layers.size() == b.layers.size() && !a.layers.empty() &&
         std::equal(a.layers.begin(), a.layers.end() - 1, b.layers.begin());
}

// Why it keeps its template; empty: it need not.
std::string reason_to_keep(const store::Record& record, const store::TemplateRef& successor) {
  if (record.base.name != successor.name)
    return record.base.name.starts_with(successor.name + ":") ? "it was made with --agent-version"
                                                              : "it has the template " + record.base.name;
  if (!differ_in_last_layer_only(record.base, successor))
    return "its base system is another than that of the new template, and what is installed in it would not fit";
  return {};
}

}  // namespace

wire::UpdatedSandbox Successions::bring_over_held(Sandbox& sandbox, const store::TemplateRef& successor) {
  const auto kept = [&](std::string why) {
    return wire::UpdatedSandbox{sandbox.name(), UpdateState::kKept, std::move(why)};
  };
  if (const auto usable = sandbox.usable(); !usable) return kept(usable.error().what());
  store::Record record = sandbox.record();
  UpdateState state = UpdateState::kCurrent;
  if (record.base.digest == successor.digest) {
    if (!record.successor) return {sandbox.name(), state, ""};
    record.successor.reset();  // it waited for an update that was taken back
  } else if (std::string reason = reason_to_keep(record, successor); !reason.empty()) {
    return kept(std::move(reason));
  } else if (sandbox.running()) {
    record.successor = successor;
    state = UpdateState::kNextStart;
  } else {
    record.base = successor;
    record.successor.reset();
    state = UpdateState::kUpdated;
  }
  if (const auto saved = parts_.store.save(record); !saved) return kept(saved.error().what());
  sandbox.set_record(std::move(record));
  return {sandbox.name(), state, ""};
}

std::vector<wire::UpdatedSandbox> Successions::bring_over(const std::string& agent, const images::Template& successor) {
  const store::TemplateRef ref{successor.name, successor.digest, successor.layers,
                               images::environment_of(successor.config)};
  std::vector<wire::UpdatedSandbox> all;
  for (const auto& sandbox : registry_.all()) {
    if (sandbox->record().agent != agent) continue;
    const std::scoped_lock held(sandbox->operation());
    if (std::holds_alternative<Gone>(sandbox->state())) continue;
    all.push_back(bring_over_held(*sandbox, ref));
  }
  return all;
}

Result<> take_successor_held(Sandbox& sandbox, const store::Store& store) {
  store::Record record = sandbox.record();
  if (!record.successor) return Ok{};
  record.base = *std::move(record.successor);
  record.successor.reset();
  TRY(store.save(record));
  sandbox.set_record(std::move(record));
  return Ok{};
}

}  // namespace sbx::sandboxes
