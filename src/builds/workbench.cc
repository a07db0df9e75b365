// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/workbench.h"

#include "base/log.h"
#include "base/uuid.h"

namespace sbx::builds {
namespace {

constexpr std::size_t kNameDigits = 8;

}  // namespace

Result<std::unique_ptr<Workbench>> Workbench::open(sandboxes::Sandboxes& sandboxes, const std::string& image,
                                                   const std::vector<std::string>& hosts) {
  wire::CreateRequest request;
  request.agent = "build";
  request.name = "build-" + new_uuid().substr(0, kNameDigits);
  request.template_name = image;
  request.pull = wire::Pull::kNever;
  request.docker = wire::DockerMode::kOff;
  for (const std::string& host : hosts) request.policy.push_back({"allow-host", host});
  TRY(sandboxes.creation.create_temporary(request));
  return std::unique_ptr<Workbench>(new Workbench(sandboxes, request.name));
}

Workbench::~Workbench() {
  if (auto removed = sandboxes_.removal.remove(name_); !removed)
    log_error("remove the sandbox of a build: {}", removed.error().what());
}

Result<std::optional<layers::Unpacked>> Workbench::changes(const images::Progress& progress) {
  return sandboxes_.saves.layer_of(name_, progress);
}

}  // namespace sbx::builds
