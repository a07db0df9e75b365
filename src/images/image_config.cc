// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/image_config.h"

#include "base/text.h"
#include "base/value.h"

namespace sbx::images {
namespace {

constexpr std::string_view kDigestKind = "sha256:";
constexpr std::size_t kDigestLength = 64;

}  // namespace

void describe(Members& members, ImageConfig& config) {
  members.sparse("created", config.created);
  members.optional("architecture", config.architecture);
  members.optional("os", config.os);
  members.optional("config", config.config);
  members.required("rootfs", config.rootfs);
  members.sparse("history", config.history);
}

void describe(Members& members, RunConfig& config) {
  members.sparse("User", config.user);
  members.sparse("Env", config.environment);
  members.sparse("Entrypoint", config.entrypoint);
  members.sparse("Cmd", config.command);
  members.sparse("Shell", config.shell);
  members.sparse("WorkingDir", config.directory);
  members.sparse("Labels", config.labels);
}

void describe(Members& members, RootFs& rootfs) {
  members.required("type", rootfs.type);
  members.optional("diff_ids", rootfs.diff_ids);
}

void describe(Members& members, HistoryStep& step) {
  members.sparse("created", step.created);
  members.sparse("created_by", step.created_by);
  members.sparse("comment", step.comment);
  members.sparse("empty_layer", step.empty_layer);
}

Result<ImageConfig> parse_image_config(std::string_view text) {
  TRY_ASSIGN(Json json, parse_json(text));
  drop_nulls(json);
  TRY_ASSIGN(auto kept, value_and_unknown_of<ImageConfig>(json, "image"));
  ImageConfig& config = kept.value;
  if (config.os != "linux")
    return fail(Code::kInvalid, "it is an image for " + printable(config.os) + ", not for linux");
  if (config.rootfs.diff_ids.empty()) return fail(Code::kInvalid, "it has no layers");
  for (const std::string& layer : config.rootfs.diff_ids)
    if (!is_digest(layer)) return fail(Code::kInvalid, "\"" + printable(layer) + "\" is no digest of a layer");
  if (!kept.unknown.empty()) config.unknown = dump(kept.unknown);
  return std::move(config);
}

std::string config_text(const ImageConfig& config) {
  Json json = json_of(config);
  const auto unknown = parse_json(config.unknown);
  return dump(unknown ? json_with(std::move(json), *unknown) : json);
}

wire::Environment environment_of(const RunConfig& config) {
  wire::Environment environment;
  for (const std::string& variable : config.environment) {
    const auto equals = variable.find('=');
    if (equals != 0 && equals != std::string::npos)
      environment.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return environment;
}

void drop_nulls(Json& json) {
  if (!json.is_structured()) return;
  for (Json& member : json) drop_nulls(member);
  if (!json.is_object()) return;
  for (auto member = json.begin(); member != json.end();)
    member = member->is_null() ? json.erase(member) : std::next(member);
}

bool is_digest(std::string_view text) {
  if (!text.starts_with(kDigestKind) || text.size() != kDigestKind.size() + kDigestLength) return false;
  return text.find_first_not_of("0123456789abcdef", kDigestKind.size()) == std::string_view::npos;
}

std::string hex_of(std::string_view digest) { return std::string(digest.substr(digest.find(':') + 1)); }

std::string architecture_here() {
#if defined(__x86_64__)
  return "amd64";
#elif defined(__aarch64__)
  return "arm64";
#endif
}

}  // namespace sbx::images
