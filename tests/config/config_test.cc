// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::config {
namespace {

using wire::Isolation;

class ConfigTest : public ::testing::Test {
 protected:
  Result<Config> reading(const std::string& text) const {
    EXPECT_TRUE(replace_file(path, text));
    return read_config(path);
  }
  std::string error(const std::string& text) const {
    const auto config = reading(text);
    return config ? "none" : config.error().what();
  }

  testing::TemporaryDirectory directory;
  const std::string path = directory / "config.json";
};

TEST_F(ConfigTest, SaysNothingIfThereIsNoFile) {
  const auto config = read_config(path);
  ASSERT_TRUE(config) << config.error().what();
  EXPECT_EQ(config->path, path);
  EXPECT_EQ(config->backend, "");
  EXPECT_EQ(config->minimum_isolation, Isolation::kUnknown);
  EXPECT_TRUE(check_isolation(*config, Isolation::kContainer));
}

TEST_F(ConfigTest, HasEveryKey) {
  const auto config = reading(
      R"({"backend": "microvm", "minimumIsolation": "gvisor", "kernel": "/boot/k", "modules": "/lib/modules/k",
          "dockerCache": "2g"})");
  ASSERT_TRUE(config) << config.error().what();
  EXPECT_EQ(config->backend, "microvm");
  EXPECT_EQ(config->minimum_isolation, Isolation::kGvisor);
  EXPECT_EQ(config->kernel, "/boot/k");
  EXPECT_EQ(config->docker_cache, 2LL << 30);
  EXPECT_EQ(config->modules, "/lib/modules/k");
}

TEST_F(ConfigTest, AnErrorNamesTheFileAndTheKey) {
  EXPECT_EQ(error(R"({"minimumisolation": "microvm"})"), path + ": unknown member \"minimumisolation\"");
  EXPECT_EQ(error(R"({"backend": 1})"), path + ": \"backend\" must be a string");
  EXPECT_EQ(error(R"({"minimumIsolation": "strong"})"),
            path + ": \"minimumIsolation\" must be one of container, microvm-emulated, gvisor, microvm");
  EXPECT_EQ(error(R"({"dockerCache": "much"})"), path + ": \"dockerCache\" must be a size, such as \"10g\", or \"0\"");
  EXPECT_EQ(error(R"({"kernel": "vmlinuz"})"), path + ": \"kernel\" must be an absolute path");
  EXPECT_EQ(error("{"), path + ": not valid JSON");
  EXPECT_EQ(error("[]"), path + ": must be a JSON object");
}

TEST_F(ConfigTest, AMinimumThatIsEmptyIsAnError) {
  EXPECT_NE(error(R"({"minimumIsolation": ""})"), "none");
  EXPECT_NE(error(R"({"minimumIsolation": null})"), "none");
}

TEST_F(ConfigTest, WhatCannotBeReadIsAnError) {
  const auto config = read_config(directory.path());
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().what().find(directory.path()), std::string::npos);
}

TEST_F(ConfigTest, OnlyTheMinimumAndWhatIsAboveItIsAllowed) {
  const std::vector<std::string> weakest_first{"container", "microvm-emulated", "gvisor", "microvm"};
  for (std::size_t minimum = 0; minimum < weakest_first.size(); ++minimum) {
    const Config config{path, "", *from_word<Isolation>(weakest_first[minimum]), "", ""};
    for (std::size_t grade = 0; grade < weakest_first.size(); ++grade)
      EXPECT_EQ(check_isolation(config, *from_word<Isolation>(weakest_first[grade])).has_value(), grade >= minimum)
          << weakest_first[grade] << " for " << weakest_first[minimum];
    EXPECT_FALSE(check_isolation(config, Isolation::kUnknown)) << weakest_first[minimum];
  }
}

TEST_F(ConfigTest, ARefusalNamesTheFileAndTheKey) {
  const auto allowed = check_isolation({path, "", Isolation::kMicrovm, "", ""}, Isolation::kContainer);
  ASSERT_FALSE(allowed);
  EXPECT_EQ(allowed.error().code(), Code::kForbidden);
  EXPECT_EQ(allowed.error().what(),
            "isolation would be \"container\", and \"minimumIsolation\" in " + path + " is \"microvm\"");
}

TEST_F(ConfigTest, IsInTheHomeUnlessAnotherIsNamed) {
  ASSERT_EQ(::unsetenv("SANDBOXD_CONFIG"), 0);
  ASSERT_EQ(::setenv("HOME", "/home/somebody", 1), 0);
  EXPECT_EQ(*config_path(), "/home/somebody/.sandboxd/config.json");
  ASSERT_EQ(::setenv("SANDBOXD_CONFIG", path.c_str(), 1), 0);
  EXPECT_EQ(*config_path(), path);
  ASSERT_EQ(::setenv("SANDBOXD_CONFIG", "config.json", 1), 0);
  EXPECT_FALSE(config_path());
}

}  // namespace
}  // namespace sbx::config
