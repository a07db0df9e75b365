// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/exec.h"

namespace sbx::wire {
namespace {

constexpr std::int64_t kLargestWindow = 65535;

Json object_of(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [key, value] : environment) json[key] = value;
  return json;
}

std::uint16_t window_side(Fields& fields, const char* name) {
  const std::int64_t value = fields.integer(name, 0);
  if (value < 0 || value > kLargestWindow) fields.reject("\"" + std::string(name) + "\" is out of range");
  return static_cast<std::uint16_t>(value);
}

void check(const ExecRequest& request, Fields& fields) {
  const bool known_builtin = request.builtin == "pack" || request.builtin == "unpack" || request.builtin == "stat";
  if (request.builtin.empty() && request.command.empty()) fields.reject("\"command\" is empty");
  if (!request.builtin.empty() && !known_builtin) fields.reject("no builtin \"" + request.builtin + "\"");
  if (!request.builtin.empty() && request.path.empty()) fields.reject("\"path\" is missing");
  if (!request.builtin.empty() && (request.tty || !request.command.empty()))
    fields.reject("a builtin takes no command and no terminal");
  for (const auto& [key, value] : request.environment)
    if (key.empty() || key.find('=') != std::string::npos)
      fields.reject("bad environment variable name \"" + key + "\"");
}

}  // namespace

Result<ExecRequest> decode_exec_request(const Json& json) {
  Fields fields(json, "exec");
  ExecRequest request;
  request.command = fields.texts("command");
  request.builtin = fields.text("builtin", "");
  request.path = fields.text("path", "");
  request.follow_link = fields.boolean("follow_link", false);
  request.environment = fields.pairs("environment");
  request.user = fields.text("user", "");
  request.directory = fields.text("directory", "");
  request.tty = fields.boolean("tty", false);
  request.interactive = fields.boolean("interactive", false);
  request.detach = fields.boolean("detach", false);
  request.privileged = fields.boolean("privileged", false);
  request.window = {window_side(fields, "rows"), window_side(fields, "columns")};
  check(request, fields);
  TRY(fields.finish());
  return request;
}

Json encode(const ExecRequest& request) {
  Json json = Json::object();
  if (!request.command.empty()) json["command"] = request.command;
  if (!request.builtin.empty()) json["builtin"] = request.builtin;
  if (!request.path.empty()) json["path"] = request.path;
  if (request.follow_link) json["follow_link"] = true;
  if (!request.environment.empty()) json["environment"] = object_of(request.environment);
  if (!request.user.empty()) json["user"] = request.user;
  if (!request.directory.empty()) json["directory"] = request.directory;
  if (request.tty) json["tty"] = true;
  if (request.interactive) json["interactive"] = true;
  if (request.detach) json["detach"] = true;
  if (request.privileged) json["privileged"] = true;
  if (request.window.rows != 0) json["rows"] = request.window.rows;
  if (request.window.columns != 0) json["columns"] = request.window.columns;
  return json;
}

Result<ExecExit> decode_exec_exit(const Json& json) {
  Fields fields(json, "exit");
  ExecExit exit;
  const std::int64_t code = fields.integer("code", 0);
  exit.signal = static_cast<int>(fields.integer("signal", 0));
  exit.error = fields.text("error", "");
  if (code < 0 || code > 255) fields.reject("\"code\" is out of range");
  exit.code = static_cast<int>(code);
  TRY(fields.finish());
  return exit;
}

Json encode(const ExecExit& exit) {
  Json json = {{"code", exit.code}};
  if (exit.signal != 0) json["signal"] = exit.signal;
  if (!exit.error.empty()) json["error"] = exit.error;
  return json;
}

}  // namespace sbx::wire
