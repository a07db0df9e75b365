// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/diagnosis.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

const std::vector<backends::Check> kChecks{
    {"user namespaces", backends::CheckStatus::kPass, "available", ""},
    {"KVM", backends::CheckStatus::kWarn, "no \x1b[1mvmx", "look into the firmware"},
    {"runtime", backends::CheckStatus::kFail, "runc is missing", "sudo apt-get install runc"}};

TEST(Diagnosis, TextHasAMarkForEachAndAHintForEachThatNeedsOne) {
  const auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(diagnosis_text(kChecks, pipe->write),
            "✓ user namespaces  available\n"
            "! KVM              no \\x1b[1mvmx\n"
            "                   try: look into the firmware\n"
            "✗ runtime          runc is missing\n"
            "                   try: sudo apt-get install runc\n"
            "\n1 passed, 1 warned, 1 failed, 0 skipped\n");
}

TEST(Diagnosis, JsonHasTheChecksAndASummary) {
  const Json json = diagnosis_json(kChecks);
  EXPECT_EQ(json["checks"].size(), 3u);
  EXPECT_EQ(json["checks"][2]["hint"], "sudo apt-get install runc");
  EXPECT_FALSE(json["checks"][0].contains("hint"));
  EXPECT_EQ(dump(json["summary"]), R"({"pass":1,"warn":1,"fail":1,"skip":0})");
}

TEST(Diagnosis, OnlyAFailureFails) {
  EXPECT_TRUE(any_failed(kChecks));
  EXPECT_FALSE(any_failed({kChecks[0], kChecks[1]}));
}

TEST(Diagnosis, AStateDirectoryThatCannotBeMadeIsAFailure) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file_atomically(directory / "file", ""));
  EXPECT_EQ(own_checks(Home(directory / "file/state"))[0].status, backends::CheckStatus::kFail);
  EXPECT_EQ(own_checks(Home(directory / "state"))[0].status, backends::CheckStatus::kPass);
}

TEST(Diagnosis, AConfigurationThatMeansNothingHereIsAFailure) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "config.json";
  EXPECT_EQ(configuration_check(config::read_config(path)).status, backends::CheckStatus::kPass);
  ASSERT_TRUE(replace_file(path, R"({"backend": "container"})"));
  EXPECT_EQ(configuration_check(config::read_config(path)).status, backends::CheckStatus::kPass);
  for (const char* text : {R"({"backend": "abacus"})", R"({"bakend": "container"})", "{"}) {
    ASSERT_TRUE(replace_file(path, text));
    const auto check = configuration_check(config::read_config(path));
    EXPECT_EQ(check.status, backends::CheckStatus::kFail) << text;
    EXPECT_NE(check.message.find(path), std::string::npos) << check.message;
  }
}

TEST(Diagnosis, EveryBackendIsAskedAndNoCheckComesTwice) {
  const auto checks = backend_checks(Home("/tmp"), {});
  EXPECT_FALSE(checks.empty());
  for (std::size_t i = 0; i < checks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(checks[i].name == checks[j].name && checks[i].message == checks[j].message) << checks[i].name;
}

TEST(Diagnosis, WhatTheChosenBackendLacksIsAFailure) {
  const backends::Settings bad{"/nonexistent/kernel", "/nonexistent/modules"};
  const auto of_kernel = [&](const std::string& chosen) {
    for (const auto& check : backend_checks(Home("/tmp"), bad, chosen))
      if (check.message.find(bad.kernel) != std::string::npos) return std::optional(check.status);
    return std::optional<backends::CheckStatus>();
  };
  EXPECT_EQ(of_kernel("microvm"), backends::CheckStatus::kFail);
  const bool another_works = backends::make_backend("container", {}).value()->available().has_value();
  EXPECT_EQ(of_kernel(""), another_works ? backends::CheckStatus::kSkip : backends::CheckStatus::kFail);
}

}  // namespace
}  // namespace sbx::cli
