// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace sbx {

struct Ok {};

// A value or the Error that kept us from it. Everything that can fail returns one.
template <class T = Ok>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure fail(Error error) { return Failure(std::move(error)); }
inline Failure fail(Code code, std::string what, std::string hint = {}) {
  return Failure(Error(code, std::move(what), std::move(hint)));
}
inline Failure fail_errno(std::string_view doing, int number = 0) { return Failure(Error::from_errno(doing, number)); }

}  // namespace sbx

#define SBX_JOIN_(a, b) a##b
#define SBX_JOIN(a, b) SBX_JOIN_(a, b)

// TRY(expr): return the error, if there is one.
#define TRY(expr)                                                       \
  do {                                                                  \
    auto try_result = (expr);                                           \
    if (!try_result) return ::sbx::fail(std::move(try_result).error()); \
  } while (false)

// TRY_ASSIGN(decl, expr): decl = the value, or return the error. Several statements: never the lone body of an if.
#define TRY_ASSIGN(decl, expr) TRY_ASSIGN_(SBX_JOIN(try_result_, __LINE__), decl, expr)
#define TRY_ASSIGN_(temporary, decl, expr)                          \
  auto temporary = (expr);                                          \
  if (!temporary) return ::sbx::fail(std::move(temporary).error()); \
  decl = std::move(*temporary)

// TRY_WITHIN(context, expr): as TRY, with what we were doing put in front of the error.
#define TRY_WITHIN(context, expr)                                                       \
  do {                                                                                  \
    auto try_result = (expr);                                                           \
    if (!try_result) return ::sbx::fail(std::move(try_result).error().within(context)); \
  } while (false)
