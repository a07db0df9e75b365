// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json_fwd.h"
#include "base/members.h"
#include "base/result.h"
#include "wire/exec.h"

// The configuration of an image (https://specs.opencontainers.org/image-spec/config/), as far as it means something to
// us. It names the image's layers, so its digest is the identity of the whole.
namespace sbx::images {

// How its programs are meant to be run.
struct RunConfig {
  std::vector<std::string> environment;  // "K=V"
  std::string user;
  std::string directory;
  std::vector<std::string> entrypoint;
  std::vector<std::string> command;
  std::vector<std::string> shell;
  std::vector<std::pair<std::string, std::string>> labels;
};
void describe(Members& members, RunConfig& config);

struct RootFs {
  std::string type = "layers";
  std::vector<std::string> diff_ids;  // "sha256:<64 hex>", the lowest layer first
};
void describe(Members& members, RootFs& rootfs);

// How a layer was made, the oldest first; one may have made no layer.
struct HistoryStep {
  std::string created;  // RFC 3339
  std::string created_by;
  std::string comment;
  bool empty_layer = false;
};
void describe(Members& members, HistoryStep& step);

struct ImageConfig {
  std::string created;  // RFC 3339
  std::string architecture;
  std::string os = "linux";
  RunConfig config;
  RootFs rootfs;
  std::vector<HistoryStep> history;
  std::string unknown;  // members that mean nothing to us, as JSON: they are written back
};

void describe(Members& members, ImageConfig& config);

// Docker writes null for what is not there.
void drop_nulls(Json& json);

// kInvalid for what is no configuration of a Linux image.
Result<ImageConfig> parse_image_config(std::string_view text);
std::string config_text(const ImageConfig& config);

wire::Environment environment_of(const RunConfig& config);

bool is_digest(std::string_view text);        // "sha256:<64 hex>"
std::string hex_of(std::string_view digest);  // without "sha256:"
std::string architecture_here();              // "amd64", as images call it

}  // namespace sbx::images
