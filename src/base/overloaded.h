// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbx {

// std::visit(Overloaded{[](const A&) {...}, [](const B&) {...}}, variant): a case for each alternative.
template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // for clang before 17

}  // namespace sbx
