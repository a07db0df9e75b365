// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/record.h"

#include <array>
#include <optional>
#include <utility>

#include "store/record_rules.h"

namespace sbx::store {
namespace {

constexpr std::array<std::pair<Phase, std::string_view>, 3> kPhases{{
    {Phase::kCreating, "creating"},
    {Phase::kReady, "ready"},
    {Phase::kRemoving, "removing"},
}};

std::string_view to_string(Phase phase) {
  for (const auto& [value, name] : kPhases)
    if (value == phase) return name;
  return {};
}

Phase decode_phase(Fields& fields) {
  const std::string text = fields.text("phase");
  for (const auto& [value, name] : kPhases)
    if (name == text) return value;
  fields.reject("no phase \"" + text + "\"");
  return Phase::kCreating;
}

TemplateRef decode_template(Fields& fields) {
  const Json* json = fields.value("template");
  if (json == nullptr) {
    fields.reject("\"template\" is missing");
    return {};
  }
  Fields inner(*json, "template");
  TemplateRef base{inner.text("name"), inner.text("digest"), inner.text("root")};
  if (auto finished = inner.finish(); !finished) fields.reject(finished.error().what());
  return base;
}

Origin decode_origin(Fields& fields) {
  const Json* json = fields.value("origin");
  if (json == nullptr) return {};
  Fields inner(*json, "origin");
  Origin origin{inner.text("key"), inner.text("digest")};
  if (auto finished = inner.finish(); !finished) fields.reject(finished.error().what());
  return origin;
}

std::uint32_t decode_id(Fields& fields, const char* name) {
  const std::int64_t value = fields.integer(name, 0);
  if (value < 0 || value > UINT32_MAX) fields.reject("\"" + std::string(name) + "\" is out of range");
  return static_cast<std::uint32_t>(value);
}

// First of all, because the rest of another version's record means nothing to us.
Result<> check_version(const Json& json) {
  const auto version = json.is_object() ? json.find("version") : json.end();
  if (!json.is_object() || version == json.end() || !version->is_number_integer())
    return fail(Code::kInvalid, "record: \"version\" is missing");
  if (*version != kRecordVersion)
    return fail(Code::kInvalid, "record: version " + version->dump() + " is not one that this program knows");
  return Ok{};
}

}  // namespace

Result<Record> decode_record(const Json& json) {
  TRY(check_version(json));
  Fields fields(json, "record");
  fields.integer("version", 0);
  Record record;
  record.id = fields.text("id");
  record.name = fields.text("name");
  record.agent = fields.text("agent");
  record.created_at = fields.text("created_at");
  record.phase = decode_phase(fields);
  record.workspaces = wire::decode_mounts(fields, "workspaces");
  record.mounts = wire::decode_mounts(fields, "mounts");
  record.environment = fields.pairs("environment");
  record.directory = fields.text("directory", "");
  record.limits = wire::decode_limits(fields);
  record.backend = fields.text("backend");
  record.isolation = fields.text("isolation");
  record.base = decode_template(fields);
  record.id_base = decode_id(fields, "id_base");
  record.hostname = fields.text("hostname");
  record.ports = wire::decode_ports(fields, "ports");
  record.hosts = wire::decode_hosts(fields, "hosts");
  record.allow_home = fields.boolean("allow_home", false);
  record.origin = decode_origin(fields);
  record.agent_uid = decode_id(fields, "agent_uid");
  record.agent_gid = decode_id(fields, "agent_gid");
  TRY(fields.finish());
  TRY(check_record(record));
  return record;
}

Json encode(const Record& record) {
  Json json = {{"version", kRecordVersion},
               {"id", record.id},
               {"name", record.name},
               {"agent", record.agent},
               {"created_at", record.created_at},
               {"phase", to_string(record.phase)},
               {"workspaces", wire::encode_mounts(record.workspaces)},
               {"mounts", wire::encode_mounts(record.mounts)},
               {"environment", wire::encode_environment(record.environment)},
               {"directory", record.directory},
               {"limits", wire::encode_limits(record.limits)},
               {"backend", record.backend},
               {"isolation", record.isolation},
               {"template", {{"name", record.base.name}, {"digest", record.base.digest}, {"root", record.base.root}}},
               {"id_base", record.id_base},
               {"hostname", record.hostname},
               {"ports", wire::encode_ports(record.ports)},
               {"hosts", wire::encode_hosts(record.hosts)}};
  if (record.allow_home) json["allow_home"] = true;
  if (!record.origin.key.empty()) json["origin"] = {{"key", record.origin.key}, {"digest", record.origin.digest}};
  if (record.agent_uid != 0) json["agent_uid"] = record.agent_uid;
  if (record.agent_gid != 0) json["agent_gid"] = record.agent_gid;
  return json;
}

Result<LastRun> decode_last_run(const Json& json) {
  Fields fields(json, "last run");
  LastRun run;
  run.running = fields.boolean("running", false);
  run.ended = fields.text("ended", "");
  if (const Json* timings = fields.value("timings"); timings != nullptr && timings->is_object()) run.timings = *timings;
  TRY(fields.finish(/*allow_unknown=*/true));
  return run;
}

Json encode(const LastRun& run) { return {{"running", run.running}, {"ended", run.ended}, {"timings", run.timings}}; }

}  // namespace sbx::store
