// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/template.h"

namespace sbx::wire {

void describe(Members& members, TemplateLayer& layer) {
  members.required("digest", layer.digest);
  members.optional("bytes", layer.bytes);
}

void describe(Members& members, TemplateConfig& config) {
  members.optional("user", config.user);
  members.optional("directory", config.directory);
  members.optional("entrypoint", config.entrypoint);
  members.optional("command", config.command);
  members.optional("environment", config.environment);
  members.optional("labels", config.labels);
}

void describe(Members& members, TemplateDetails& details) {
  members.required("digest", details.digest);
  members.optional("names", details.names);
  members.optional("source", details.source);
  members.optional("added_at", details.added_at);
  members.optional("created_at", details.created_at);
  members.optional("architecture", details.architecture);
  members.optional("bytes", details.bytes);
  members.optional("layers", details.layers);
  members.optional("config", details.config);
  members.optional("used_by", details.used_by);
}

void describe(Members& members, TemplateList& list) { members.required("templates", list.templates); }

void describe(Members& members, TemplateStep& step) {
  members.optional("created_at", step.created_at);
  members.optional("created_by", step.created_by);
  members.optional("comment", step.comment);
  members.optional("layer", step.layer);
  members.optional("bytes", step.bytes);
}

void describe(Members& members, TemplateHistory& history) { members.required("steps", history.steps); }

void describe(Members& members, TemplatePull& request) {
  members.required("name", request.name);
  members.optional("platform", request.platform);
  members.optional("from", request.from);
}

void describe(Members& members, TemplatesLoaded& loaded) {
  members.required("names", loaded.names);
  members.required("templates", loaded.templates);
}

void describe(Members& members, TemplateTag& request) {
  members.required("name", request.name);
  members.required("tag", request.tag);
}

void describe(Members& members, TemplatePrune& request) { members.optional("all", request.all); }

void describe(Members& members, TemplatesRemoved& removed) {
  members.optional("names", removed.names);
  members.optional("digests", removed.digests);
  members.optional("bytes", removed.bytes);
}

}  // namespace sbx::wire
