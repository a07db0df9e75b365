// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "base/value.h"
#include "wire/guest.h"
#include "wire/session.h"
#include "wire/shim_control.h"

namespace {

using namespace sbx;

// What is accepted survives being said again, and what an open reader accepts is no more than what a strict one does
// once it is said again.
template <class T>
void check(const Json& json) {
  for (const Unknown unknown : {Unknown::kIgnored, Unknown::kRefused}) {
    const auto value = value_of<T>(json, "value", unknown);
    if (!value) continue;
    const std::string text = text_of(*value);
    const auto again = value_in<T>(text, "value");
    if (!again || text_of(*again) != text) std::abort();
  }
}

}  // namespace

// The JSON that shims and guests read: control messages of a daemon, and what a shim tells a guest.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = parse_json(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!json) return 0;
  check<wire::ExecCall>(*json);
  check<wire::StopCall>(*json);
  check<wire::AttachCall>(*json);
  check<wire::EndSessionCall>(*json);
  check<wire::ShimStatus>(*json);
  check<wire::DetachedStart>(*json);
  check<wire::GuestConfig>(*json);
  check<wire::GuestClock>(*json);
  check<wire::GuestStop>(*json);
  return 0;
}
