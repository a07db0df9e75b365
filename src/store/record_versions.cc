// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/record_versions.h"

#include <optional>

#include "base/json.h"
#include "store/record.h"

namespace sbx::store {
namespace {

// A template was one tree, with a path; now it has layers, by their digests, and that tree is the only one. Before a
// disk's bound was written down, only microVMs had one.
void from_1_to_2(Json& record) {
  record["minimum_reader"] = 2;
  if (const auto base = record.find("template"); base != record.end() && base->is_object()) {
    base->erase("root");
    if (const auto digest = base->find("digest"); digest != base->end() && *digest != "")
      (*base)["layers"] = Json::array({*digest});
  }
  const auto limits = record.find("limits");
  if (limits == record.end() || !limits->is_object() || limits->contains("disk_bound")) return;
  const auto disk = limits->find("disk");
  if (disk != limits->end() && disk->is_number() && *disk > 0) (*limits)["disk_bound"] = "virtual disk";
}

// In the order of the versions that they begin with.
constexpr void (*kSteps[])(Json&) = {from_1_to_2};
static_assert(std::size(kSteps) == kRecordVersion - 1);

std::optional<std::int64_t> number_in(const Json& record, const char* name) {
  const auto member = record.is_object() ? record.find(name) : record.end();
  if (!record.is_object() || member == record.end() || !member->is_number_integer()) return std::nullopt;
  return member->get<std::int64_t>();
}

Failure too_new(std::int64_t needed) {
  return fail(Code::kUnsupported,
              "record: a newer sandboxd has written it, and version " + std::to_string(needed) +
                  " is needed to read it; this one has " + std::to_string(kRecordVersion),
              "install the sandboxd that made the sandbox, or a newer one");
}

}  // namespace

Result<> migrate(Json& record) {
  const auto version = number_in(record, "version");
  if (!version || *version < 1) return fail(Code::kInvalid, "record: \"version\" is missing");
  const std::int64_t needed = number_in(record, "minimum_reader").value_or(*version);
  if (needed > kRecordVersion) return too_new(needed);
  for (std::int64_t from = *version; from < kRecordVersion; ++from) {
    kSteps[from - 1](record);
    record["version"] = from + 1;
  }
  return Ok{};
}

}  // namespace sbx::store
