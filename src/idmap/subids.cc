// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "idmap/subids.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/text.h"

namespace sbx::idmap {
namespace {

// Without getpwuid, because the client is a static program; users of a directory service have $USER.
std::string user_name(uid_t uid) {
  const auto passwd = read_file("/etc/passwd");
  if (passwd)
    for (const auto& line : split(*passwd, '\n')) {
      const auto fields = split(line, ':');
      if (fields.size() >= 3 && fields[2] == std::to_string(uid)) return fields[0];
    }
  const char* name = std::getenv("USER");
  return name != nullptr ? name : "";
}

// Appends ids inside ... inside + count - 1, taken from the front of `left`.
void take(std::vector<SubRange>& left, std::uint32_t inside, std::uint32_t count, std::vector<Range>& into) {
  while (count > 0 && !left.empty()) {
    SubRange& range = left.front();
    const std::uint32_t n = std::min(count, range.count);
    into.push_back({inside, range.first, n});
    inside += n;
    count -= n;
    range.first += n;
    range.count -= n;
    if (range.count == 0) left.erase(left.begin());
  }
}

}  // namespace

std::vector<SubRange> parse_subordinate_ids(std::string_view content, std::string_view name, uid_t uid) {
  std::vector<SubRange> ranges;
  for (const auto& line : split(content, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() != 3) continue;
    if (fields[0] != name && fields[0] != std::to_string(uid)) continue;
    const auto first = parse_integer(fields[1]);
    const auto count = parse_integer(fields[2]);
    if (!first || !count || *first <= 0 || *count <= 0 || *first + *count > INT64_C(0xffffffff)) continue;
    ranges.push_back({static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*count)});
  }
  return ranges;
}

Result<std::vector<SubRange>> subordinate_ids(const std::string& file, uid_t uid) {
  const std::string name = user_name(uid);
  const auto content = read_file(file);
  auto ranges = content ? parse_subordinate_ids(*content, name, uid) : std::vector<SubRange>();
  std::uint64_t total = 0;
  for (const SubRange& range : ranges) total += range.count;
  if (total >= kGuestIds - 1) return ranges;
  const std::string flag = file == "/etc/subuid" ? "--add-subuids" : "--add-subgids";
  return fail(Code::kUnavailable,
              file + " gives user " + name + " " + std::to_string(total) + " ids, and a sandbox needs 65535",
              "sudo usermod " + flag + " 100000-165535 " + name);
}

Result<std::vector<Range>> map_around_agent(const std::vector<SubRange>& ranges, std::uint32_t caller) {
  std::vector<SubRange> left = ranges;
  std::vector<Range> map;
  take(left, 0, kAgent, map);
  map.push_back({kAgent, caller, 1});
  take(left, kAgent + 1, kGuestIds - kAgent - 1, map);
  if (map.back().inside + map.back().count != kGuestIds)
    return fail(Code::kUnavailable, "not enough subordinate ids for a sandbox");
  return map;
}

}  // namespace sbx::idmap
