// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/members.h"

// Templates, as clients see them: the images that sandboxes are made from.
namespace sbx::wire {

// Where an image that is not here comes from. kAuto: its registry or, if that does not have it, the local Docker.
enum class TemplateSource { kAuto, kRegistry, kDocker, kPodman };
constexpr auto choices(TemplateSource) {
  return std::to_array<Choice<TemplateSource>>({{TemplateSource::kAuto, "auto"},
                                                {TemplateSource::kRegistry, "registry"},
                                                {TemplateSource::kDocker, "docker"},
                                                {TemplateSource::kPodman, "podman"}});
}

struct TemplateLayer {
  std::string digest;
  std::int64_t bytes = 0;  // of its archive
};
void describe(Members& members, TemplateLayer& layer);

// How its programs are meant to be run, by its maker.
struct TemplateConfig {
  std::string user;
  std::string directory;
  std::vector<std::string> entrypoint;
  std::vector<std::string> command;
  std::vector<std::string> environment;  // "K=V"
  std::vector<std::pair<std::string, std::string>> labels;
};
void describe(Members& members, TemplateConfig& config);

// GET /templates/{name}, and one of GET /templates.
struct TemplateDetails {
  std::string digest;
  std::vector<std::string> names;     // as docker shows them; none: it was replaced by another
  std::string source;                 // where it came from
  std::string added_at;               // RFC 3339
  std::string created_at;             // RFC 3339, says its maker; empty: it does not
  std::string architecture;           // "amd64"
  std::int64_t bytes = 0;             // of its layers, those that it shares included
  std::vector<TemplateLayer> layers;  // the lowest first
  TemplateConfig config;
  std::vector<std::string> used_by;  // sandboxes
};
void describe(Members& members, TemplateDetails& details);

struct TemplateList {
  std::vector<TemplateDetails> templates;
};
void describe(Members& members, TemplateList& list);

// GET /templates/{name}/history.
struct TemplateStep {
  std::string created_at;  // RFC 3339
  std::string created_by;
  std::string comment;
  std::string layer;       // the digest of what it made; empty: no layer
  std::int64_t bytes = 0;  // of the layer
};
void describe(Members& members, TemplateStep& step);

struct TemplateHistory {
  std::vector<TemplateStep> steps;  // the newest first
};
void describe(Members& members, TemplateHistory& history);

// POST /templates/pull.
struct TemplatePull {
  std::string name;
  std::string platform;  // "linux/arm64"; empty: this host's
  TemplateSource from = TemplateSource::kRegistry;
};
void describe(Members& members, TemplatePull& request);

// POST /templates/load: the archive is the body or, with this header, a file whose descriptor comes with the request's
// first byte (SCM_RIGHTS).
inline constexpr const char* kArchiveHeader = "Sandbox-Archive";
inline constexpr const char* kAttached = "attached";

// What came with the archive.
struct TemplatesLoaded {
  std::vector<std::string> names;
  std::vector<TemplateDetails> templates;
};
void describe(Members& members, TemplatesLoaded& loaded);

// POST /templates/tag: a second name.
struct TemplateTag {
  std::string name;
  std::string tag;
};
void describe(Members& members, TemplateTag& request);

// POST /templates/prune.
struct TemplatePrune {
  bool all = false;  // also what has a name and no sandbox
};
void describe(Members& members, TemplatePrune& request);

// DELETE /templates/{name} and POST /templates/prune.
struct TemplatesRemoved {
  std::vector<std::string> names;    // that stand for nothing any more
  std::vector<std::string> digests;  // of templates that are gone
  std::int64_t bytes = 0;            // that were freed
};
void describe(Members& members, TemplatesRemoved& removed);

}  // namespace sbx::wire
