// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "base/home.h"
#include "images/templates.h"

// build_template DIRECTORY [PULL], beside sandbox-layer: what `sandbox create shell` does first, alone. The end-to-end
// tests share its result.
int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto progress = [](std::string_view step, std::int64_t done, std::int64_t total) {
    std::fprintf(stderr, "%.*s %lld/%lld\n", static_cast<int>(step.size()), step.data(), static_cast<long long>(done),
                 static_cast<long long>(total));
  };
  const auto pull = sbx::from_word<sbx::wire::Pull>(argc > 2 ? argv[2] : "").value_or(sbx::wire::Pull::kMissing);
  const auto program = sbx::own_program("sandbox-layer");
  const auto built = program ? sbx::images::Templates(argv[1], *program).get({.name = "shell", .pull = pull}, progress)
                             : sbx::Result<sbx::images::Template>(sbx::fail(program.error()));
  if (!built) {
    std::fprintf(stderr, "error: %s\ntry: %s\n", built.error().what().c_str(), built.error().hint().c_str());
    return 1;
  }
  std::printf("%s\n", built->digest.c_str());
  return 0;
}
