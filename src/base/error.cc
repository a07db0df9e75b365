// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace sbx {
namespace {

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
