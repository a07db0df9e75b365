// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/resources.h"

#include "base/text.h"
#include "cli/client/remote.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::string_view kSandboxes = "sandbox://sandboxes";
constexpr std::string_view kScope = "sandbox://scope";
constexpr std::string_view kJson = "application/json";
constexpr const char* kLogTail = "200";
constexpr std::size_t kMostOfLog = 64u << 10;

Json resource(std::string_view uri, std::string_view name, std::string_view type) {
  return {{"uri", uri}, {"name", name}, {"mimeType", type}};
}

Json contents(const std::string& uri, std::string_view type, std::string text) {
  return {{"contents", Json::array({{{"uri", uri}, {"mimeType", type}, {"text", std::move(text)}}})}};
}

Result<std::vector<wire::SandboxInfo>> sandboxes_in(Session& session) {
  TRY_ASSIGN(std::vector<wire::SandboxInfo> all, list_sandboxes(session.client));
  std::erase_if(all, [&](const wire::SandboxInfo& sandbox) { return !session.scope.check(sandbox); });
  return all;
}

// Its lines may be of any length.
void keep_end(std::string& text) {
  if (text.size() > kMostOfLog) text.erase(0, text.size() - kMostOfLog);
}

Json scope_of(const Session& session) {
  Json edits = Json::array();
  for (const policy::Edit& edit : session.policy) edits.push_back(json_of(edit));
  return {{"directories", session.scope.directories()}, {"policy", std::move(edits)}};
}

Result<Json> sandbox_at(Session& session, const std::string& uri) {
  const std::vector<std::string> parts = split(uri.substr(kSandboxes.size() + 1), '/');
  TRY_ASSIGN(const wire::SandboxInfo sandbox, get_sandbox(session.client, parts.front()));
  TRY(session.scope.check(sandbox));
  if (parts.size() == 1) return contents(uri, kJson, dump_pretty(json_of(sandbox)));
  if (parts.size() != 2 || parts.back() != "log") return fail(Code::kNotFound, "no such resource: " + printable(uri));
  std::string text;
  TRY(session.client.get_log({"sandboxes", sandbox.name, "logs"}, {{"tail", kLogTail}},
                             [&](std::string_view bytes) -> Result<> {
                               text += bytes;
                               keep_end(text);
                               return Ok{};
                             }));
  return contents(uri, "text/plain", std::move(text));
}

}  // namespace

Result<Json> resource_list(Session& session) {
  TRY_ASSIGN(const auto sandboxes, sandboxes_in(session));
  Json list = Json::array({resource(kSandboxes, "sandboxes", kJson), resource(kScope, "scope", kJson)});
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    const std::string uri = std::string(kSandboxes) + "/" + sandbox.name;
    list.push_back(resource(uri, sandbox.name, kJson));
    list.push_back(resource(uri + "/log", sandbox.name + " log", "text/plain"));
  }
  return Json{{"resources", std::move(list)}};
}

Json resource_templates() {
  const std::string one = std::string(kSandboxes) + "/{name}";
  return {{"resourceTemplates",
           Json::array({{{"uriTemplate", one}, {"name", "sandbox"}, {"mimeType", kJson}},
                        {{"uriTemplate", one + "/log"}, {"name", "sandbox log"}, {"mimeType", "text/plain"}}})}};
}

Result<Json> read_resource(Session& session, const Json& parameters) {
  const Json wanted = parameters.value("uri", Json());
  if (!wanted.is_string()) return fail(Code::kInvalid, "\"uri\" is missing");
  const std::string uri = wanted;
  if (uri == kScope) return contents(uri, kJson, dump_pretty(scope_of(session)));
  if (uri == kSandboxes) {
    TRY_ASSIGN(auto sandboxes, sandboxes_in(session));
    return contents(uri, kJson, dump_pretty(json_of(wire::SandboxList{std::move(sandboxes)})));
  }
  if (uri.starts_with(std::string(kSandboxes) + "/")) return sandbox_at(session, uri);
  return fail(Code::kNotFound, "no such resource: " + printable(uri));
}

}  // namespace sbx::cli::mcp
