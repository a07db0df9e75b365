// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/bindings.h"

#include <algorithm>

#include "base/packing.h"
#include "vault/basic.h"

namespace sbx::vault {
namespace {

constexpr std::size_t kMostRemembered = 1024;

template <class Texts>
void put(Packer& into, const Texts& texts) {
  into.number(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) into.bytes(text);
}

std::set<std::string, std::less<>> take_set(Unpacker& from) {
  std::set<std::string, std::less<>> texts;
  for (auto left = from.number<std::uint32_t>(); left > 0 && from.good(); --left) texts.emplace(from.bytes());
  return texts;
}

}  // namespace

const Bindings::Placeholder* Bindings::misplaced_in(const http::Headers& fields, std::string_view host,
                                                    bool bound) const {
  if (placeholders.empty()) return nullptr;
  for (const auto& [name, value] : fields) {
    const auto plain = text_in_basic(value);
    for (const Placeholder& each : placeholders) {
      if (bound && each.hosts.contains(host)) continue;
      if (value.find(each.text) != std::string::npos || (plain && plain->find(each.text) != std::string::npos))
        return &each;
    }
  }
  return nullptr;
}

std::string encode(const Bindings& bindings) {
  Packer packer;
  put(packer, bindings.hosts);
  packer.number(static_cast<std::uint32_t>(bindings.placeholders.size()));
  for (const Bindings::Placeholder& each : bindings.placeholders) {
    packer.bytes(each.text);
    put(packer, each.hosts);
  }
  return packer.take();
}

Result<Bindings> decode_bindings(std::string_view bytes) {
  Unpacker from(bytes);
  Bindings bindings;
  bindings.hosts = take_set(from);
  for (auto left = from.number<std::uint32_t>(); left > 0 && from.good(); --left) {
    std::string text(from.bytes());
    bindings.placeholders.push_back({std::move(text), take_set(from)});
  }
  if (!from.whole()) return fail(Code::kInvalid, "the bindings make no sense");
  return bindings;
}

Bindings with_memory_of(const Bindings& known, Bindings bindings) {
  std::size_t remembered = 0;
  for (const Bindings::Placeholder& old : known.placeholders) {
    const bool still =
        std::ranges::any_of(bindings.placeholders, [&](const auto& each) { return each.text == old.text; });
    if (!still && ++remembered <= kMostRemembered) bindings.placeholders.push_back({old.text, {}});
  }
  return bindings;
}

}  // namespace sbx::vault
