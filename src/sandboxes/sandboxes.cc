// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sandboxes.h"

namespace sbx::sandboxes {

Sandboxes::Sandboxes(Parts parts)
    : parts_(std::move(parts)),
      backends_(parts_.backends),
      registry_(parts_.store.home().machines(), parts_.privileged) {}

Sandboxes::~Sandboxes() = default;

Result<std::unique_ptr<Sandboxes>> Sandboxes::create(Parts parts) {
  std::unique_ptr<Sandboxes> made(new Sandboxes(std::move(parts)));
  Sandboxes* self = made.get();
  TRY_ASSIGN(self->watcher_, Watcher::create([self](const std::string& name, const std::shared_ptr<const Shim>& shim,
                                                    std::optional<Exit> exit) { self->shim_ended(name, shim, exit); },
                                             [self](const std::string& name, const std::shared_ptr<const Shim>& shim,
                                                    const wire::Event& event) { self->shim_told(name, shim, event); }));
  return made;
}

std::vector<wire::SandboxInfo> Sandboxes::list() const {
  std::vector<wire::SandboxInfo> out;
  for (const auto& sandbox : registry_.all()) out.push_back(info_of(*sandbox));
  return out;
}

Result<wire::SandboxInfo> Sandboxes::info(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  return info_of(*sandbox);
}

}  // namespace sbx::sandboxes
