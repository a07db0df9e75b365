// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/record.h"

#include "base/value.h"
#include "store/record_rules.h"
#include "store/record_versions.h"

namespace sbx::store {

void describe(Members& members, TemplateRef& base) {
  members.required("name", base.name);
  members.required("digest", base.digest);
  members.optional("layers", base.layers);
  members.sparse("environment", base.environment);
}

void describe(Members& members, Origin& origin) {
  members.required("key", origin.key);
  members.required("digest", origin.digest);
}

void describe(Members& members, Record& record) {
  members.required("version", record.version);
  members.required("minimum_reader", record.minimum_reader);
  members.required("id", record.id);
  members.required("name", record.name);
  members.required("agent", record.agent);
  members.sparse("agent_command", record.agent_command);
  members.required("created_at", record.created_at);
  members.required("phase", record.phase);
  describe(members, static_cast<wire::Settings&>(record));
  members.required("backend", record.backend);
  members.required("isolation", record.isolation);
  members.required("template", record.base);
  members.sparse("next_template", record.successor);
  members.optional("id_base", record.id_base);
  members.required("hostname", record.hostname);
  members.sparse("mcp_revoked", record.mcp_revoked);
  members.sparse("origin", record.origin);
  members.sparse("agent_uid", record.agent_uid);
  members.sparse("agent_gid", record.agent_gid);
}

void describe(Members& members, LastRun& run) {
  members.optional("running", run.running);
  members.optional("ended", run.ended);
  members.optional("timings", run.timings);
  members.sparse("used_at", run.used_at);
}

Result<Record> decode_record(Json json) {
  TRY(migrate(json));
  TRY_ASSIGN(auto kept, value_and_unknown_of<Record>(json, "record"));
  TRY(check_record(kept.value));
  if (!kept.unknown.empty()) kept.value.unknown = dump(kept.unknown);
  return std::move(kept.value);
}

Json encode(const Record& record) {
  Json json = json_of(record);
  const auto unknown = parse_json(record.unknown);
  return unknown ? json_with(std::move(json), *unknown) : json;
}

}  // namespace sbx::store
