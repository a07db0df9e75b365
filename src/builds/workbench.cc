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
  TRY(sandboxes.creation.create_temporary(request));
  std::unique_ptr<Workbench> bench(new Workbench(sandboxes, request.name));
  std::vector<policy::Edit> edits;
  for (const std::string& host : hosts) edits.push_back({"allow-host", host});
  if (!edits.empty()) TRY(sandboxes.policies.edit(request.name, edits));
  return bench;
}

Workbench::~Workbench() {
  if (auto removed = sandboxes_.removal.remove(name_); !removed)
    log_error("remove the sandbox of a build: {}", removed.error().what());
}

Result<std::optional<layers::Unpacked>> Workbench::changes(const images::Progress& progress) {
  return sandboxes_.saves.layer_of(name_, progress);
}

}  // namespace sbx::builds
