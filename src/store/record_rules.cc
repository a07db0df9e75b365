// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/record_rules.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/uuid.h"
#include "idmap/bases.h"
#include "store/name.h"

namespace sbx::store {
namespace {

constexpr std::size_t kLongestHostname = 63;
constexpr std::string_view kDigestKind = "sha256:";
constexpr std::size_t kDigestLength = 64;

Failure refuse(const char* member, const std::string& value, std::string_view why) {
  return fail(Code::kInvalid, "record: \"" + std::string(member) + "\" is \"" + printable(value.substr(0, 100)) +
                                  "\", which " + std::string(why));
}

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c) { return is_letter_or_digit(c) || c == '-'; }

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestHostname && is_letter_or_digit(text.front()) &&
         is_letter_or_digit(text.back()) && std::ranges::all_of(text, is_of_word);
}

bool is_digest(std::string_view text) {
  if (!text.starts_with(kDigestKind) || text.size() != kDigestKind.size() + kDigestLength) return false;
  return text.find_first_not_of("0123456789abcdef", kDigestKind.size()) == std::string_view::npos;
}

Result<> check_base(std::uint32_t base) {
  if (base == 0 || idmap::is_base(base)) return Ok{};  // 0: made by an ordinary user's daemon
  return refuse("id_base", std::to_string(base), "does not begin a range of user ids for a sandbox");
}

// Of a user of the host's, or none; see backends::AgentIds.
Result<> check_agent_id(const char* member, std::uint32_t id, std::uint32_t base) {
  if (id == UINT32_MAX) return refuse(member, std::to_string(id), "is no user or group");
  if (base != 0 && id >= base && id - base < idmap::kBaseStep)
    return refuse(member, std::to_string(id), "is one of the sandbox's own ids");
  return Ok{};
}

Result<> check_agent_ids(const Record& record) {
  TRY(check_agent_id("agent_uid", record.agent_uid, record.id_base));
  TRY(check_agent_id("agent_gid", record.agent_gid, record.id_base));
  if ((record.agent_uid == 0) == (record.agent_gid == 0)) return Ok{};
  return refuse("agent_gid", std::to_string(record.agent_gid),
                "does not go with the \"agent_uid\": one of them is root's");
}

Result<> check_template(const TemplateRef& base) {
  if (!is_digest(base.digest)) return refuse("digest", base.digest, "names no template");
  for (const std::string& layer : base.layers)
    if (!is_digest(layer)) return refuse("layers", layer, "names no layer");
  if (base.layers.empty()) return refuse("layers", "", "are those of no template");
  return Ok{};
}

// It is not known yet while the sandbox is made.
Result<> check_templates(const Record& record) {
  const bool unknown = record.base.digest.empty() && record.base.layers.empty() && record.phase != Phase::kReady;
  if (!unknown) TRY(check_template(record.base));
  return record.successor ? check_template(*record.successor) : Ok{};
}

}  // namespace

Result<> check_record(const Record& record) {
  if (!is_uuid(record.id)) return refuse("id", record.id, "is no id of a sandbox");
  TRY_WITHIN("record", check_name(record.name));
  TRY_WITHIN("record", check_agent_name(record.agent));
  if (!is_word(record.hostname)) return refuse("hostname", record.hostname, "is no name of a host");
  if (!is_word(record.backend)) return refuse("backend", record.backend, "is no name of a backend");
  TRY(check_base(record.id_base));
  TRY(check_agent_ids(record));
  return check_templates(record);
}

}  // namespace sbx::store
