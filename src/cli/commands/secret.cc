// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>

#include "base/format.h"
#include "base/found_path.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/client/secrets.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/hidden_line.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"
#include "cli/views/secret_listing.h"
#include "cli/words/lease_words.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kTampered = 1;
constexpr std::size_t kLargestSecret = 64u << 10;

// What echo and editors put behind a value is not part of it.
std::string without_last_newline(std::string value) {
  if (value.ends_with('\n')) value.pop_back();
  if (value.ends_with('\r')) value.pop_back();
  return value;
}

Result<std::string> value_from_file(const Client& client, const std::string& path) {
  TRY_ASSIGN(const auto shared, shared_directories(client));
  TRY_ASSIGN(const Fd file, open_to_read(path, shared));
  TRY_ASSIGN(std::string value, read_all(file, kLargestSecret));
  return without_last_newline(std::move(value));
}

Result<std::string> value_of_secret(const Context& context, const Client& client, const Arguments& arguments) {
  if (arguments.given("value") && arguments.given("file"))
    return fail(Code::kInvalid, "--value and --file exclude each other");
  if (arguments.given("value")) return arguments.text("value");
  if (arguments.given("file")) return value_from_file(client, arguments.text("file"));
  if (is_terminal(context.streams.in))
    return read_hidden_line(context.streams.in, "Value of " + printable(arguments.operands().front()) + ": ");
  TRY_ASSIGN(std::string value, read_all(context.streams.in, kLargestSecret));
  return without_last_newline(std::move(value));
}

// JSON carries nothing else, and a value that was changed on its way would be found out late.
Result<> check_text(std::string_view value) {
  while (!value.empty()) {
    const auto character = first_character(value);
    if (!character) return fail(Code::kInvalid, "the value is not text in UTF-8");
    value.remove_prefix(character->size);
  }
  return Ok{};
}

void print_done(const Context& context, const std::string& what) {
  print(sbx::format("{} {}\n", styled(context.streams.out, Style::kGood, "✓"), printable(what)));
}

void show_lease(const wire::LeasedSecret& leased) {
  print(columns({{"lease", leased.lease_id},
                 {"secret", leased.secret_name},
                 {"expires", leased.expires_at},
                 {"value", leased.value}}));
}

// "X-Key: Token {}" is a header and a format.
Result<> split_header(const std::string& text, wire::BindRequest& request) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    return fail(Code::kInvalid, "--header " + printable(text) + ": must be like 'X-Key: {}'");
  request.header = text.substr(0, colon);
  request.format = trimmed(std::string_view(text).substr(colon + 1));
  return Ok{};
}

}  // namespace

Result<int> secret_add(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  wire::SecretAdd request{arguments.operands().front(), "", arguments.on("update")};
  TRY_ASSIGN(request.value, value_of_secret(context, client, arguments));
  TRY(check_text(request.value));
  TRY(add_secret(client, request));
  print_done(context, (request.update ? "Stored secret " : "Added secret ") + request.name);
  return 0;
}

Result<int> secret_ls(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto list, list_secrets(client));
  if (arguments.on("json"))
    print_json(json_of(list));
  else if (list.secrets.empty())
    note("No secrets found");
  else
    print(secret_table(list));
  return 0;
}

Result<int> secret_rm(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  return for_each_name(context, arguments.operands(),
                       [&](const std::string& name) { return remove_secret(client, name); });
}

Result<int> secret_lease(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const auto request, lease_request_of(arguments.text("ttl"), arguments.text("client-id")));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto leased, lease_secret(client, arguments.operands().front(), request));
  if (arguments.on("raw"))
    TRY(write_all(context.streams.out, leased.value));
  else if (arguments.on("json"))
    print_json(json_of(leased));
  else
    show_lease(leased);
  return 0;
}

Result<int> secret_leases(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto list, list_leases(client));
  if (arguments.on("json"))
    print_json(json_of(list));
  else if (list.leases.empty())
    note("No leases found");
  else
    print(lease_table(list));
  return 0;
}

Result<int> secret_revoke(Context& context, const Arguments& arguments) {
  const bool all = arguments.on("all");
  if (all != arguments.operands().empty())
    return fail(Code::kInvalid, "revoke takes the ids of leases, or --all", "sandbox secret leases");
  TRY_ASSIGN(const Client client, context.client());
  if (!all)
    return for_each_name(context, arguments.operands(),
                         [&](const std::string& id) { return revoke_lease(client, id); });
  TRY_ASSIGN(const auto revoked, revoke_all_leases(client));
  print_done(context, sbx::format("Revoked {} lease{}", revoked.revoked, revoked.revoked == 1 ? "" : "s"));
  return 0;
}

Result<int> secret_audit(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  if (arguments.on("verify")) {
    TRY_ASSIGN(const auto report, verify_audit(client));
    if (arguments.on("json"))
      print_json(json_of(report));
    else if (report.intact)
      print_done(context, sbx::format("The audit log is intact ({} lines)", report.lines));
    else
      context.print_error(Error(Code::kConflict, "the audit log was tampered with: " + report.reason));
    return report.intact ? 0 : kTampered;
  }
  const auto tail = parse_integer(arguments.text("tail"));
  if (!tail || *tail < 0)
    return fail(Code::kInvalid, "--tail " + arguments.text("tail") + ": must be a number of lines");
  TRY_ASSIGN(const auto log, get_audit(client, arguments.text("tail")));
  if (arguments.on("json"))
    print_json(json_of(log));
  else
    print(audit_table(log));
  return 0;
}

Result<int> secret_status(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto status, get_secrets_status(client));
  if (arguments.on("json"))
    print_json(json_of(status));
  else
    print(secrets_status_text(status));
  return status.error.empty() ? 0 : 1;
}

Result<int> secret_bind(Context& context, const Arguments& arguments) {
  wire::BindRequest request;
  request.secret = arguments.operands().front();
  request.service = arguments.text("service");
  request.hosts = arguments.list("host");
  request.variable = arguments.text("env");
  request.sandbox = arguments.text("sandbox");
  if (arguments.given("header")) TRY(split_header(arguments.text("header"), request));
  if (arguments.given("ttl")) {
    TRY_ASSIGN(request.ttl_s, parse_ttl(arguments.text("ttl")));
  }
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto bound, bind_secret(client, request));
  if (arguments.on("json"))
    print_json(json_of(bound));
  else
    print_done(context, sbx::format("Bound secret {}: {}", bound.secret, binding_text(bound)));
  return 0;
}

Result<int> secret_unbind(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  return for_each_name(context, arguments.operands(), [&](const std::string& id) { return unbind_secret(client, id); });
}

Result<int> secret_bindings(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto list, list_bindings(client));
  if (arguments.on("json"))
    print_json(json_of(list));
  else if (list.bindings.empty())
    note("No bindings found");
  else
    print(binding_table(list));
  return 0;
}

}  // namespace sbx::cli::verbs
