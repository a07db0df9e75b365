// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/sandbox.h"

namespace sbx::wire {
namespace {

struct Bound {
  DiskBound bound;
  std::string_view text;
};
constexpr Bound kBounds[] = {{DiskBound::kNone, ""},
                             {DiskBound::kVirtualDisk, "virtual disk"},
                             {DiskBound::kProjectQuota, "project quota"},
                             {DiskBound::kLoopImage, "loop image"}};

DiskBound decode_disk_bound(Fields& fields, std::int64_t disk) {
  // Before this member was there, only microVMs had a disk of bounded size.
  const std::string wanted = fields.text("disk_bound", disk > 0 ? "virtual disk" : "");
  for (const Bound& known : kBounds)
    if (known.text == wanted) return known.bound;
  fields.reject("\"disk_bound\" is unknown");
  return DiskBound::kNone;
}

}  // namespace

std::string_view text(DiskBound bound) {
  for (const Bound& known : kBounds)
    if (known.bound == bound) return known.text;
  return "";
}

Json encode_mounts(const std::vector<Mount>& mounts) {
  Json list = Json::array();
  for (const auto& mount : mounts)
    list.push_back({{"source", mount.source}, {"target", mount.target}, {"readonly", mount.readonly}});
  return list;
}

Json encode_environment(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [key, value] : environment) json[key] = value;
  return json;
}

Json encode_limits(const Limits& limits) {
  return {{"cpus", limits.cpus},
          {"memory", limits.memory},
          {"pids", limits.pids},
          {"disk", limits.disk},
          {"disk_bound", text(limits.disk_bound)}};
}

std::vector<Mount> decode_mounts(Fields& fields, const char* name) {
  std::vector<Mount> mounts;
  for (const Json* item : fields.list(name)) {
    Fields mount(*item, name);
    mounts.push_back({mount.text("source"), mount.text("target"), mount.boolean("readonly", false)});
    if (auto finished = mount.finish(); !finished) fields.reject(finished.error().what());
  }
  return mounts;
}

Limits decode_limits(Fields& fields) {
  Limits limits;
  const Json* json = fields.value("limits");
  if (json == nullptr) return limits;
  Fields inner(*json, "limits");
  limits.cpus = inner.number("cpus", 0);
  limits.memory = inner.integer("memory", 0);
  limits.pids = inner.integer("pids", 0);
  limits.disk = inner.integer("disk", 0);
  limits.disk_bound = decode_disk_bound(inner, limits.disk);
  if (limits.cpus < 0 || limits.memory < 0 || limits.pids < 0 || limits.disk < 0) inner.reject("negative");
  if (auto finished = inner.finish(); !finished) fields.reject(finished.error().what());
  return limits;
}

Result<CreateRequest> decode_create_request(const Json& json) {
  Fields fields(json, "create");
  CreateRequest request;
  request.agent = fields.text("agent");
  request.name = fields.text("name", "");
  request.workspaces = decode_mounts(fields, "workspaces");
  request.mounts = decode_mounts(fields, "mounts");
  request.template_name = fields.text("template", "");
  request.pull = fields.text("pull", "missing");
  request.backend = fields.text("backend", "");
  request.environment = fields.pairs("environment");
  request.directory = fields.text("directory", "");
  request.limits = decode_limits(fields);
  request.ports = decode_ports(fields, "ports");
  request.hosts = decode_hosts(fields, "hosts");
  request.allow_home = fields.boolean("allow_home", false);
  request.reuse = fields.boolean("reuse", false);
  if (request.pull != "always" && request.pull != "missing" && request.pull != "never")
    fields.reject("\"pull\" must be always, missing or never");
  TRY(fields.finish());
  return request;
}

Json encode(const CreateRequest& request) {
  return {{"agent", request.agent},
          {"name", request.name},
          {"workspaces", encode_mounts(request.workspaces)},
          {"mounts", encode_mounts(request.mounts)},
          {"template", request.template_name},
          {"pull", request.pull},
          {"backend", request.backend},
          {"environment", encode_environment(request.environment)},
          {"directory", request.directory},
          {"limits", encode_limits(request.limits)},
          {"ports", encode_ports(request.ports)},
          {"hosts", encode_hosts(request.hosts)},
          {"allow_home", request.allow_home},
          {"reuse", request.reuse}};
}

Result<SandboxInfo> decode_sandbox_info(const Json& json) {
  Fields fields(json, "sandbox");
  SandboxInfo info;
  info.id = fields.text("id");
  info.name = fields.text("name");
  info.agent = fields.text("agent");
  info.status = fields.text("status");
  info.reason = fields.text("reason", "");
  info.isolation = fields.text("isolation", "");
  info.backend = fields.text("backend", "");
  info.template_name = fields.text("template", "");
  info.template_digest = fields.text("template_digest", "");
  info.created_at = fields.text("created_at", "");
  info.state_directory = fields.text("state_directory", "");
  info.directory = fields.text("directory", "");
  info.workspaces = decode_mounts(fields, "workspaces");
  info.mounts = decode_mounts(fields, "mounts");
  info.environment = fields.pairs("environment");
  info.limits = decode_limits(fields);
  info.limits_enforced = fields.boolean("limits_enforced", true);
  info.ports = decode_ports(fields, "ports");
  info.hosts = decode_hosts(fields, "hosts");
  info.workspace_missing = fields.boolean("workspace_missing", false);
  info.covered_sockets = fields.texts("covered_sockets");
  info.sockets_searched = fields.boolean("sockets_searched", true);
  info.shim_pid = fields.integer("shim_pid", 0);
  info.init_pid = fields.integer("init_pid", 0);
  if (const Json* timings = fields.value("timings")) info.timings = *timings;
  info.created = fields.boolean("created", true);
  info.note = fields.text("note", "");
  // A newer daemon may say more than this client knows.
  TRY(fields.finish(/*allow_unknown=*/true));
  return info;
}

Json encode(const SandboxInfo& info) {
  return {{"id", info.id},
          {"name", info.name},
          {"agent", info.agent},
          {"status", info.status},
          {"reason", info.reason},
          {"isolation", info.isolation},
          {"backend", info.backend},
          {"template", info.template_name},
          {"template_digest", info.template_digest},
          {"created_at", info.created_at},
          {"state_directory", info.state_directory},
          {"directory", info.directory},
          {"workspaces", encode_mounts(info.workspaces)},
          {"mounts", encode_mounts(info.mounts)},
          {"environment", encode_environment(info.environment)},
          {"limits", encode_limits(info.limits)},
          {"limits_enforced", info.limits_enforced},
          {"ports", encode_ports(info.ports)},
          {"hosts", encode_hosts(info.hosts)},
          {"covered_sockets", info.covered_sockets},
          {"sockets_searched", info.sockets_searched},
          {"workspace_missing", info.workspace_missing},
          {"shim_pid", info.shim_pid},
          {"init_pid", info.init_pid},
          {"timings", info.timings},
          {"created", info.created},
          {"note", info.note}};
}

Result<Event> decode_event(const Json& json) {
  Fields fields(json, "event");
  Event event{fields.text("time", ""), fields.text("kind"), fields.text("sandbox", ""), Json::object()};
  if (const Json* detail = fields.value("detail")) event.detail = *detail;
  TRY(fields.finish(/*allow_unknown=*/true));
  return event;
}

Json encode(const Event& event) {
  return {{"time", event.time}, {"kind", event.kind}, {"sandbox", event.sandbox}, {"detail", event.detail}};
}

Error decode_error(const Json& json, int status) {
  const Json* error = json.is_object() && json.contains("error") ? &json["error"] : nullptr;
  if (error == nullptr || !error->is_object())
    return Error(Code::kInternal, "the daemon answered with status " + std::to_string(status));
  Fields fields(*error, "error");
  const std::string code = fields.text("code", "internal");
  const std::string message = fields.text("message", "");
  return Error(code_from(code), message, fields.text("hint", ""));
}

Json encode(const Error& error) {
  Json inner = {{"code", to_string(error.code())}, {"message", error.what()}};
  if (!error.hint().empty()) inner["hint"] = error.hint();
  return {{"error", inner}};
}

int http_status(Code code) {
  switch (code) {
    case Code::kInvalid:
      return 400;
    case Code::kForbidden:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kConflict:
      return 409;
    case Code::kTooLarge:
      return 413;
    case Code::kUnavailable:
      return 503;
    case Code::kTimeout:
      return 504;
    case Code::kInternal:
      return 500;
  }
  return 500;
}

}  // namespace sbx::wire
