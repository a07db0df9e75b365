// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/binding_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/text.h"
#include "secrets/services.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kMostHosts = 64;
// Where a message ends and to whom it goes is not for a secret to say.
constexpr std::array<std::string_view, 11> kNotForSecrets{
    "host",   "connection",       "content-length", "transfer-encoding",  "te", "trailer", "upgrade",
    "expect", "proxy-connection", "keep-alive",     "proxy-authorization"};

bool is_host(std::string_view host) {
  return !host.empty() && host.size() <= 253 && host.find("..") == std::string_view::npos && host.front() != '.' &&
         host.back() != '.' && std::ranges::all_of(host, [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.';
         });
}

bool is_field_name(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_variable_name(std::string_view name) {
  return std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c < 0x7f; });
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

Failure wrong(const std::string& why) { return fail(Code::kInvalid, why, "sandbox secret bind --help"); }

Result<> check_custom(const wire::Binding& binding) {
  if (binding.hosts.empty()) return wrong("a binding needs a service, or a host and a header");
  if (binding.hosts.size() > kMostHosts) return wrong("a binding has at most 64 hosts");
  for (const std::string& host : binding.hosts)
    if (!is_host(host)) return wrong("\"" + printable(host) + "\" is not the exact name of a host, in lower case");
  if (!is_field_name(binding.header)) return wrong("\"" + printable(binding.header) + "\" is not the name of a header");
  if (std::ranges::find(kNotForSecrets, lower(binding.header)) != kNotForSecrets.end())
    return wrong("the header " + binding.header + " cannot carry a secret");
  if (!is_visible(binding.format) || !binding.format.ends_with("{}") ||
      binding.format.find("{}") != binding.format.size() - 2)
    return wrong("the header's value must end with {}, which stands for the secret, and have it once");
  return Ok{};
}

}  // namespace

std::string prefix_of(const wire::Binding& binding) { return binding.format.substr(0, binding.format.size() - 2); }

Result<> check_binding(const wire::Binding& binding) {
  if (!binding.variable.empty() && !is_variable_name(binding.variable))
    return wrong("\"" + printable(binding.variable) + "\" is not the name of a variable");
  if (binding.service.empty()) return check_custom(binding);
  if (!binding.hosts.empty() || !binding.header.empty() || !binding.variable.empty())
    return wrong("a service has its own hosts, header and variables");
  if (service_for(binding.service, "") == nullptr)
    return wrong("no service \"" + printable(binding.service) + "\" (known: " + join(service_names(), ", ") + ")");
  return Ok{};
}

Result<> check_apart(const wire::Binding& binding, const std::vector<wire::Binding>& others) {
  for (const wire::Binding& other : others) {
    if (other.sandbox_id != binding.sandbox_id) continue;
    const bool same_service = !binding.service.empty() && other.service == binding.service;
    const bool same_variable = !binding.variable.empty() && other.variable == binding.variable;
    const bool same_field = binding.service.empty() && lower(other.header) == lower(binding.header) &&
                            std::ranges::any_of(binding.hosts, [&](const std::string& host) {
                              return std::ranges::find(other.hosts, host) != other.hosts.end();
                            });
    if (same_service || same_variable || same_field)
      return fail(Code::kConflict, "the binding " + other.id + " has that already: " + description_of(other),
                  "sandbox secret unbind " + other.id);
  }
  return Ok{};
}

std::string description_of(const wire::Binding& binding) {
  std::string text = binding.service.empty() ? binding.header + " at " + join(binding.hosts, ", ") : binding.service;
  if (!binding.sandbox.empty()) text += ", sandbox " + binding.sandbox;
  return text;
}

}  // namespace sbx::secrets
