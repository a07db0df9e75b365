// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/secret.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace sbx::secrets {
namespace {

// What /proc/self/smaps says of the mapping that an address is in.
std::string mapping_of(const void* address) {
  std::ifstream file("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::string found;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') inside = begin <= wanted && wanted < end;
    if (inside) found += line + "\n";
  }
  return found;
}

TEST(Secret, HoldsACopy) {
  std::string text = "sk-test";
  const Secret secret = Secret::copy_of(text);
  text = "another";
  EXPECT_EQ(secret.view(), "sk-test");
}

TEST(Secret, IsMovedAndNotCopied) {
  Secret first = Secret::copy_of("one");
  Secret second = std::move(first);
  EXPECT_EQ(second.view(), "one");
  EXPECT_EQ(first.size(), 0u);  // NOLINT: what is left of it is empty
  second = Secret::copy_of("two");
  EXPECT_EQ(second.view(), "two");
}

TEST(Secret, IsLockedAndNotInCoreDumps) {
  const Secret secret = Secret::copy_of("sk-test");
  const std::string mapping = mapping_of(secret.data());
  const auto flags = mapping.find("VmFlags:");
  ASSERT_NE(flags, std::string::npos) << mapping;
  EXPECT_NE(mapping.find(" dd", flags), std::string::npos) << "no MADV_DONTDUMP: " << mapping;
  EXPECT_NE(mapping.find(" lo", flags), std::string::npos) << "not locked: " << mapping;
}

}  // namespace
}  // namespace sbx::secrets
