// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/contents.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/value.h"

namespace sbx::secrets {
namespace {

constexpr int kNewest = 1;
using Size = std::uint32_t;

// Appends parts to bytes of which there are enough.
class PartWriter {
 public:
  explicit PartWriter(Secret& to) : at_(to.data()) {}
  void write(std::string_view part) {
    const auto size = static_cast<Size>(part.size());
    std::memcpy(at_, &size, sizeof size);
    std::memcpy(at_ + sizeof size, part.data(), part.size());
    at_ += sizeof size + part.size();
  }

 private:
  unsigned char* at_;
};

std::optional<std::string_view> next_part(std::string_view& rest) {
  Size size = 0;
  if (rest.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, rest.data(), sizeof size);
  rest.remove_prefix(sizeof size);
  if (rest.size() < size) return std::nullopt;
  const std::string_view part = rest.substr(0, size);
  rest.remove_prefix(size);
  return part;
}

}  // namespace

void describe(Members& members, RefreshNote& note) {
  members.sparse("begun_at", note.begun_at);
  members.sparse("not_before", note.not_before);
  members.sparse("problem", note.problem);
  members.sparse("failures", note.failures);
  members.sparse("final", note.is_final);
}

void describe(Members& members, StoredSecret& secret) {
  members.required("info", secret.info);
  members.sparse("made_by", secret.made_by);
  members.optional("refresh", secret.refresh);
}

void describe(Members& members, Ledger& ledger) {
  members.required("version", ledger.version);
  members.check(ledger.version <= kNewest, "it is of a newer sandboxd");
  members.required("secrets", ledger.secrets);
  members.required("leases", ledger.leases);
  members.required("bindings", ledger.bindings);
  members.required("audit", ledger.audit);
}

StoredSecret* Contents::find(std::string_view name) {
  for (StoredSecret& secret : ledger.secrets)
    if (secret.info.name == name) return &secret;
  return nullptr;
}

Secret Contents::encode() const {
  const std::string text = text_of(ledger);
  std::size_t size = sizeof(Size) + text.size();
  for (const StoredSecret& secret : ledger.secrets) size += sizeof(Size) + values.at(secret.info.name)->size();
  Secret bytes(size);
  PartWriter writer(bytes);
  writer.write(text);
  for (const StoredSecret& secret : ledger.secrets) writer.write(values.at(secret.info.name)->view());
  return bytes;
}

Result<Contents> Contents::decode(const Secret& bytes) {
  std::string_view rest = bytes.view();
  const auto text = next_part(rest);
  if (!text) return fail(Code::kInternal, "the secret store is damaged");
  Contents contents;
  TRY_ASSIGN(contents.ledger, value_in<Ledger>(*text, "secret store", Unknown::kIgnored));
  for (const StoredSecret& secret : contents.ledger.secrets) {
    const auto value = next_part(rest);
    if (!value) return fail(Code::kInternal, "the secret store is damaged");
    contents.values[secret.info.name] = std::make_shared<const Secret>(Secret::copy_of(*value));
  }
  return contents;
}

}  // namespace sbx::secrets
