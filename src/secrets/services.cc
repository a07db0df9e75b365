// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/services.h"

#include <algorithm>

#include "wire/secret.h"

namespace sbx::secrets {
namespace {

constexpr const char* kPlaceholder = "proxy-managed";
// Claude Code takes a token for one by how it begins. Not made of the other placeholder: one must not be found in both.
const std::string kClaudeToken = std::string("sk-ant-oat01-") + wire::kManagedByTheProxy;

// In the place of the tokens of ~/.codex/auth.json.
const std::string kCodexToken = std::string("codex-") + wire::kManagedByTheProxy;

Service with_bearer(std::string name, std::string variable, std::vector<std::string> hosts) {
  return {.name = name,
          .secret_names = {name, variable},
          .host_variables = {variable},
          .guest_variables = {variable},
          .placeholder = kPlaceholder,
          .places = {{std::move(hosts), "authorization", "Bearer "}}};
}

std::vector<Service> table() {
  return {
      {.name = "anthropic",
       .secret_names = {"anthropic", "ANTHROPIC_API_KEY"},
       .host_variables = {"ANTHROPIC_API_KEY"},
       .guest_variables = {"ANTHROPIC_API_KEY"},
       .placeholder = kPlaceholder,
       .places = {{{"api.anthropic.com", "mcp-proxy.anthropic.com"}, "x-api-key"}}},
      {.name = "anthropic",
       .secret_names = {"claude_setup_token", "claude_oauth_token", "claude", "CLAUDE_CODE_OAUTH_TOKEN"},
       .host_variables = {"CLAUDE_CODE_OAUTH_TOKEN"},
       .guest_variables = {"CLAUDE_CODE_OAUTH_TOKEN"},
       .placeholder = kClaudeToken,
       .places = {{{"api.anthropic.com", "mcp-proxy.anthropic.com"}, "authorization", "Bearer "}},
       .form = ValueForm::kClaude},
      // codex exec takes its key from CODEX_API_KEY.
      {.name = "openai",
       .secret_names = {"openai", "OPENAI_API_KEY"},
       .host_variables = {"OPENAI_API_KEY"},
       .guest_variables = {"OPENAI_API_KEY", "CODEX_API_KEY"},
       .placeholder = kPlaceholder,
       .places = {{{"api.openai.com", "openai.com"}, "authorization", "Bearer "}}},
      {.name = "openai",
       .secret_names = {"codex_auth_json", "codex"},
       .host_variables = {},
       .guest_variables = {},
       .placeholder = kCodexToken,
       .places = {{{"chatgpt.com", "api.openai.com"}, "authorization", "Bearer "}},
       .form = ValueForm::kCodexFile},
      {.name = "github",
       .secret_names = {"github", "GH_TOKEN", "GITHUB_TOKEN"},
       .host_variables = {"GH_TOKEN", "GITHUB_TOKEN"},
       .guest_variables = {"GH_TOKEN", "GITHUB_TOKEN"},
       .placeholder = kPlaceholder,
       .places = {{{"api.github.com", "uploads.github.com", "raw.githubusercontent.com", "copilot.github.com",
                    "api.githubcopilot.com", "api.individual.githubcopilot.com", "api.business.githubcopilot.com",
                    "api.enterprise.githubcopilot.com"},
                   "authorization",
                   "Bearer "},
                  {{"github.com", "gist.github.com"}, "authorization", "", "x-access-token"}}},
      // Gemini CLI complains when it finds both variables.
      {.name = "google",
       .secret_names = {"google", "gemini", "GEMINI_API_KEY", "GOOGLE_API_KEY"},
       .host_variables = {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
       .guest_variables = {"GEMINI_API_KEY"},
       .placeholder = kPlaceholder,
       .places = {{{"generativelanguage.googleapis.com", "aiplatform.googleapis.com", "oauth2.googleapis.com",
                    "vertexai.googleapis.com"},
                   "x-goog-api-key"}}},
      with_bearer("xai", "XAI_API_KEY", {"api.x.ai"}),
      with_bearer("groq", "GROQ_API_KEY", {"api.groq.com"}),
      with_bearer("mistral", "MISTRAL_API_KEY", {"api.mistral.ai"}),
      with_bearer("openrouter", "OPENROUTER_API_KEY", {"openrouter.ai"}),
      with_bearer("nebius", "NEBIUS_API_KEY", {"api.studio.nebius.com", "api.tokenfactory.nebius.com"}),
      with_bearer("cursor", "CURSOR_API_KEY", {"api2.cursor.sh", "api3.cursor.sh", "repo42.cursor.sh", "cursor.com"}),
      with_bearer("amp", "AMP_API_KEY", {"ampcode.com"}),
      with_bearer("droid", "FACTORY_API_KEY", {"api.factory.ai", "app.factory.ai", "relay.factory.ai"}),
  };
}

}  // namespace

const std::vector<Service>& services() {
  static const std::vector<Service> all = table();
  return all;
}

const Service* service_of_secret(std::string_view secret_name) {
  for (const Service& service : services())
    if (std::ranges::find(service.secret_names, secret_name) != service.secret_names.end()) return &service;
  return nullptr;
}

ValueForm form_of_value(std::string_view value) {
  if (value.starts_with("sk-ant-oat") || value.find("\"claudeAiOauth\"") != std::string_view::npos)
    return ValueForm::kClaude;
  if (value.starts_with('{') && value.find("\"tokens\"") != std::string_view::npos) return ValueForm::kCodexFile;
  return ValueForm::kPlain;
}

const Service* service_for(std::string_view name, std::string_view value) {
  const Service* first = nullptr;
  for (const Service& service : services()) {
    if (service.name != name) continue;
    if (service.form == form_of_value(value)) return &service;
    if (first == nullptr) first = &service;
  }
  return first;
}

std::vector<std::string> service_names() {
  std::vector<std::string> names;
  for (const Service& service : services())
    if (names.empty() || names.back() != service.name) names.push_back(service.name);
  return names;
}

}  // namespace sbx::secrets
