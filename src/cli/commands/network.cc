// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/network_log.h"
#include "cli/views/output.h"
#include "cli/words/policy_text.h"
#include "policy/rules_file.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kRefused = 1;
constexpr int kMostBreaks = 8;

Result<Client::Query> log_query(const Arguments& arguments) {
  Client::Query query;
  if (!arguments.operands().empty()) query.emplace_back("sandbox", arguments.operands().front());
  if (arguments.given("limit")) {
    const auto limit = parse_integer(arguments.text("limit"));
    if (!limit || *limit < 0)
      return fail(Code::kInvalid, "--limit " + arguments.text("limit") + ": must be a number of lines");
    // Lines of a table are added up of several, and so are counted here.
    if (arguments.on("follow") || arguments.on("json")) query.emplace_back("limit", arguments.text("limit"));
  }
  if (arguments.on("blocked")) query.emplace_back("blocked", "1");
  return query;
}

Result<std::string> decision_line(const StreamEvent& event, bool json, bool hosts) {
  TRY_ASSIGN(const auto decision, value_in<wire::LoggedDecision>(event.data, "decision", Unknown::kIgnored));
  if (json) return json_line(json_of(decision)) + "\n";
  if (hosts) return printable(decision.host) + "\n";
  return network_log_line(decision);
}

Result<int> follow(const Context& context, const Client& client, Client::Query query, bool json, bool hosts) {
  query.emplace_back("follow", "1");
  int broken_off = 0;  // since the last line
  const auto show = [&](const StreamEvent& event) -> Result<Client::Heard> {
    TRY_ASSIGN(const std::string line, decision_line(event, json, hosts));
    TRY(write_all(context.streams.out, line));
    broken_off = 0;
    return Client::Heard::kSome;
  };
  for (; broken_off < kMostBreaks; ++broken_off) {
    TRY_ASSIGN(const bool ended, client.get_for_events({"network", "log"}, query, show));
    if (ended) return 0;
    note("the daemon has ended: what was decided until now may be missing here (" + context.program + " network log)");
    std::erase_if(query, [](const auto& parameter) { return parameter.first == "limit"; });
  }
  return fail(Code::kUnavailable, "the daemon ends again and again");
}

}  // namespace

Result<int> network_proxy(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const auto edits = edits_from(arguments);
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const policy::Rules rules, edits.empty() ? get_policy(client, name) : edit_policy(client, name, edits));
  if (arguments.on("json"))
    print(policy::write_rules(rules));
  else if (edits.empty())
    print(policy_text(rules));
  else
    print(sbx::format("{} Changed the network policy of {}: {}\n", styled(context.streams.out, Style::kGood, "✓"), name,
                      policy_line(rules)));
  return 0;
}

Result<int> network_check(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands()[0];
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(policy::PolicyCheck checked, check_policy(client, name, arguments.operands()[1]));
  checked.remedy = context.as_typed(checked.remedy);
  checked.raw_remedy = context.as_typed(checked.raw_remedy);
  if (arguments.on("json"))
    print_json(json_of(checked));
  else
    print(policy::text(checked));
  return checked.allowed ? 0 : kRefused;
}

Result<int> network_log(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(Client::Query query, log_query(arguments));
  TRY_ASSIGN(const Client client, context.client());
  const bool json = arguments.on("json");
  const bool hosts = arguments.on("hosts");
  const bool quiet = arguments.on("quiet");
  if (arguments.on("follow")) return follow(context, client, std::move(query), json, hosts);
  TRY_ASSIGN(const wire::NetworkLog log, get_network_log(client, query));
  if (json) {
    print_json(json_of(log));
    return 0;
  }
  const auto limit = static_cast<std::size_t>(parse_integer(arguments.text("limit")).value_or(0));
  if (hosts)
    print(network_log_hosts(log, limit));
  else
    print(quiet ? network_log_rows(log, limit) : network_log_tables(log, arguments.on("blocked"), limit));
  if (hosts || quiet) TRY(write_all(context.streams.err, network_log_losses(log)));
  return 0;
}

}  // namespace sbx::cli::verbs
