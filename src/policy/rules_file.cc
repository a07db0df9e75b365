// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/rules_file.h"

#include <set>

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

constexpr std::string_view kAllow = "allow";
constexpr std::string_view kDeny = "deny";

std::string_view word_for(Mark mark) { return mark == Mark::kAllow ? kAllow : kDeny; }

Mark read_mark(Fields& fields, const std::string& word) {
  if (word != kAllow && word != kDeny)
    fields.reject(sbx::format("the policy is allow or deny, not \"{}\"", printable(word)));
  return word == kAllow ? Mark::kAllow : Mark::kBlock;
}

// A list of patterns or ranges.
template <class T>
std::vector<T> read_list(Fields& fields, const char* name, Result<T> (*parse)(std::string_view) = T::parse) {
  std::vector<T> list;
  std::set<std::string> seen;
  for (const std::string& text : fields.texts(name)) {
    auto item = parse(text);
    if (!item)
      fields.reject(sbx::format("\"{}\": {}", name, item.error().what()));
    else if (seen.insert(item->text()).second)
      list.push_back(std::move(*item));
  }
  return list;
}

Result<> read_policy(const Json& json, const std::string& what, Rules& rules) {
  const bool is_short = json.is_string();
  const Json whole = is_short ? Json{{"default", json}} : json;
  Fields fields(whole, what);
  rules.otherwise = read_mark(fields, fields.text("default"));
  rules.log_blocked = fields.boolean("logBlocked", true);
  rules.log_allowed = fields.boolean("logAllowed", true);
  return fields.finish();
}

Result<> read_network(const Json& json, const std::string& what, Rules& rules) {
  Fields fields(json, what);
  rules.allowed = read_list<Pattern>(fields, "allowedDomains");
  rules.raw = read_list<Pattern>(fields, "rawDomains", Pattern::parse_endpoint);
  rules.blocked = read_list<Pattern>(fields, "blockedDomains");
  rules.bypassed = read_list<Pattern>(fields, "bypassDomains");
  rules.allowed_ranges = read_list<Cidr>(fields, "allowedCIDRs");
  rules.bypassed_ranges = read_list<Cidr>(fields, "bypassCIDRs");
  const char* const blocked = fields.value("blockCIDR") != nullptr ? "blockCIDR" : "blockedCIDRs";
  if (fields.has("blockCIDR") && fields.has("blockedCIDRs"))
    fields.reject("\"blockCIDR\" and \"blockedCIDRs\" are one list");
  if (fields.value(blocked) != nullptr) rules.blocked_ranges = read_list<Cidr>(fields, blocked);
  return fields.finish();
}

template <class T>
Json texts_of(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& item : list) json.push_back(item.text());
  return json;
}

Json encode_network(const Rules& rules) {
  Json json = {{"allowedDomains", texts_of(rules.allowed)}};
  if (!rules.raw.empty()) json["rawDomains"] = texts_of(rules.raw);
  json["blockedDomains"] = texts_of(rules.blocked);
  json["blockedCIDRs"] = texts_of(rules.blocked_ranges);
  if (!rules.allowed_ranges.empty()) json["allowedCIDRs"] = texts_of(rules.allowed_ranges);
  json["bypassDomains"] = texts_of(rules.bypassed);
  json["bypassCIDRs"] = texts_of(rules.bypassed_ranges);
  return json;
}

}  // namespace

Result<Rules> decode_rules(const Json& json, std::string_view what) {
  Rules rules = default_rules();
  Fields fields(json, what);
  const Json* policy = fields.value("policy");
  const Json* network = fields.value("network");
  if (policy == nullptr) fields.reject("\"policy\" is missing");
  TRY(fields.finish());
  TRY(read_policy(*policy, sbx::format("{}: policy", what), rules));
  if (network != nullptr) TRY(read_network(*network, sbx::format("{}: network", what), rules));
  return rules;
}

Json encode(const Rules& rules) {
  return {
      {"policy",
       {{"default", word_for(rules.otherwise)}, {"logBlocked", rules.log_blocked}, {"logAllowed", rules.log_allowed}}},
      {"network", encode_network(rules)}};
}

Result<Rules> read_rules(std::string_view text, std::string_view file) {
  if (text.size() > kLargestRulesFile) return fail(Code::kTooLarge, sbx::format("{}: larger than 1 MiB", file));
  const auto json = parse_json(text);
  if (!json) return fail(Error(json.error()).within(file));
  return decode_rules(*json, file);
}

std::string write_rules(const Rules& rules) { return dump_pretty(encode(rules)) + "\n"; }

}  // namespace sbx::policy
