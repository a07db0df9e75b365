// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sbx {
namespace {

constexpr std::array<std::pair<Code, std::string_view>, 9> kNames{{
    {Code::kInternal, "internal"},
    {Code::kInvalid, "invalid"},
    {Code::kNotFound, "not_found"},
    {Code::kConflict, "conflict"},
    {Code::kForbidden, "forbidden"},
    {Code::kTooLarge, "too_large"},
    {Code::kUnavailable, "unavailable"},
    {Code::kTimeout, "timeout"},
    {Code::kUnsupported, "unsupported"},
}};

Code code_of(int number) {
  switch (number) {
    case ENOENT:
      return Code::kNotFound;
    case EEXIST:
      return Code::kConflict;
    case EACCES:
    case EPERM:
      return Code::kForbidden;
    case ECONNREFUSED:
      return Code::kUnavailable;
    case ETIMEDOUT:
      return Code::kTimeout;
    default:
      return Code::kInternal;
  }
}

}  // namespace

std::string_view to_string(Code code) {
  for (const auto& [value, name] : kNames)
    if (value == code) return name;
  return "internal";
}

Code code_from(std::string_view name) {
  for (const auto& [value, text] : kNames)
    if (text == name) return value;
  return Code::kInternal;
}

Error::Error(Code code, std::string what, std::string hint)
    : code_(code), what_(std::move(what)), hint_(std::move(hint)) {}

Error Error::from_errno(std::string_view doing, int number) {
  if (number == 0) number = errno;
  return Error(code_of(number), std::string(doing) + ": " + std::strerror(number));
}

Error Error::within(std::string_view doing) && {
  what_.insert(0, std::string(doing) + ": ");
  return std::move(*this);
}

Error Error::with_hint(std::string hint) && {
  hint_ = std::move(hint);
  return std::move(*this);
}

Error Error::as(Code code) && {
  code_ = code;
  return std::move(*this);
}

}  // namespace sbx
