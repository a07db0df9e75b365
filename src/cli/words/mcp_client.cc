// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/mcp_client.h"

#include <sys/stat.h>

#include <cstdlib>

#include "base/file.h"
#include "base/home.h"
#include "userconfig/toml.h"

namespace sbx::cli {
namespace {

using agents::McpFormat;

constexpr std::string_view kServer = "sandbox";

Result<std::string> file_of(const McpClient& client) {
  const std::string file(client.file);
  const char* directory = client.directory_variable.empty() ? nullptr : std::getenv(client.directory_variable.data());
  if (directory != nullptr && *directory != '\0')
    return std::string(directory) + "/" + file.substr(file.find_last_of('/') + 1);
  TRY_ASSIGN(const std::string home, user_home());
  return home + "/" + file;
}

Result<std::string> content_of(const std::string& file) {
  if (!exists(file)) return std::string();
  return read_file(file);
}

Result<Json> parse(const McpClient& client, const std::string& content) {
  if (content.empty()) return Json::object();
  return client.format == McpFormat::kToml ? userconfig::parse_toml(content) : parse_json(content);
}

// A TOML file is only added to, because what a writer makes of it would lose the user's comments.
std::string with_entry(const McpClient& client, const std::string& content, Json settings, const Json& entry) {
  if (client.format == McpFormat::kJson) {
    settings[std::string(client.member)][std::string(kServer)] = entry;
    return dump_pretty(settings) + "\n";
  }
  const std::string gap = content.empty() ? "" : content.ends_with('\n') ? "\n" : "\n\n";
  return content + gap + userconfig::toml_of({{std::string(client.member), {{std::string(kServer), entry}}}}) + "\n";
}

// Whatever the order of their members.
bool is_same(const Json& one, const Json& other) { return nlohmann::json(one) == nlohmann::json(other); }

}  // namespace

Result<McpClient> mcp_client(std::string_view name) {
  if (const McpClient* const found = agents::find_mcp_client(name)) return *found;
  return fail(Code::kInvalid, "mcp install does not know " + std::string(name),
              "one of claude, codex, copilot, cursor, gemini and opencode");
}

Result<McpInstallation> installation_for(const McpClient& client, const std::vector<std::string>& command) {
  McpInstallation installation;
  TRY_ASSIGN(installation.file, file_of(client));
  TRY_ASSIGN(const std::string content, content_of(installation.file));
  auto settings = parse(client, content);
  if (!settings) return fail(std::move(settings).error().within(installation.file).as(Code::kInvalid));
  const Json entry = client.local(command);
  installation.entry = client.format == McpFormat::kJson
                           ? dump_pretty({{std::string(client.member), {{std::string(kServer), entry}}}})
                           : userconfig::toml_of({{std::string(client.member), {{std::string(kServer), entry}}}});
  const Json servers = settings->value(std::string(client.member), Json::object());
  if (!servers.is_object())
    return fail(Code::kInvalid, installation.file + ": \"" + std::string(client.member) + "\" must be an object");
  const Json there = servers.value(std::string(kServer), Json());
  if (!there.is_null() && !is_same(there, entry))
    return fail(Code::kConflict, installation.file + " has another MCP server named sandbox", "remove it there first");
  installation.is_there = !there.is_null();
  installation.content = installation.is_there ? content : with_entry(client, content, std::move(*settings), entry);
  return installation;
}

// A link, as dotfiles often are, stays one: what it leads to is replaced.
Result<> write_installation(const McpInstallation& installation) {
  if (installation.is_there) return Ok{};
  std::string file = installation.file;
  struct stat info {};
  const bool is_old = ::stat(file.c_str(), &info) == 0;
  if (is_old) {
    TRY_ASSIGN(file, canonical_path(file));
  } else {
    TRY(make_directories(file.substr(0, file.find_last_of('/'))));
  }
  return write_file_atomically(file, installation.content, is_old ? info.st_mode & 07777 : 0600);
}

}  // namespace sbx::cli
