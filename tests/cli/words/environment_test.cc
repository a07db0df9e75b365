// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/environment.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

std::optional<std::string> fake_caller(const std::string& name) {
  return name == "FROM_CALLER" ? std::optional<std::string>("caller value") : std::nullopt;
}

wire::Environment of_file(std::string_view content) {
  EnvironmentBuilder builder(fake_caller);
  const auto added = builder.add_file(content, "test.env");
  EXPECT_TRUE(added) << added.error().what();
  return std::move(builder).take();
}

TEST(Environment, ValuesAreTakenVerbatim) {
  const wire::Environment expected{{"A", "1"}, {"B", "x=y z"}, {"C", ""}, {"D", "\"quoted\" # kept"}};
  EXPECT_EQ(of_file("A=1\nB=x=y z\nC=\nD=\"quoted\" # kept\n"), expected);
}

TEST(Environment, CommentsBlankLinesAndLeadingBlanksAreSkipped) {
  const wire::Environment expected{{"A", "1"}, {"B", "2 "}};
  EXPECT_EQ(of_file("# comment\n\n   # another\n  A=1\n\t\nB=2 \n"), expected);
}

TEST(Environment, ABareNameTakesTheCallersValueAndAnUnsetOneIsNotPassed) {
  const wire::Environment expected{{"FROM_CALLER", "caller value"}};
  EXPECT_EQ(of_file("FROM_CALLER\nNOT_SET\n"), expected);
}

TEST(Environment, OfLabelsABareNameIsAnEmptyValueAndTheErrorSaysLabel) {
  EnvironmentBuilder builder([](const std::string&) { return ""; }, "label");
  ASSERT_TRUE(builder.add("HOME"));
  EXPECT_EQ(builder.add("=x").error().what(), "label without a name: \"=x\"");
  EXPECT_EQ(std::move(builder).take(), (wire::Labels{{"HOME", ""}}));
}

TEST(Environment, WindowsLineEndsAndAByteOrderMarkDoNotMatter) {
  const wire::Environment expected{{"A", "1"}, {"B", "2"}};
  EXPECT_EQ(of_file("\xef\xbb\xbf"
                    "A=1\r\nB=2"),
            expected);
}

TEST(Environment, TheFileAndLineOfAMistakeAreNamed) {
  EnvironmentBuilder builder(fake_caller);
  const auto nameless = builder.add_file("A=1\n=x\n", "test.env");
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().what(), "test.env, line 2: environment variable without a name: \"=x\"");
  EXPECT_FALSE(builder.add_file("A B=1\n", "test.env"));
  EXPECT_FALSE(builder.add_file(std::string_view("A=1\0B", 5), "test.env"));
}

TEST(Environment, ALaterValueReplacesAnEarlierOneInItsPlace) {
  EnvironmentBuilder builder(fake_caller);
  for (const char* assignment : {"A=1", "B=2", "A=3"}) ASSERT_TRUE(builder.add(assignment));
  const wire::Environment expected{{"A", "3"}, {"B", "2"}};
  EXPECT_EQ(std::move(builder).take(), expected);
}

TEST(Environment, ALaterFileWinsAndAFlagWinsOverBoth) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file_atomically(directory / "one", "A=1\nB=1\nC=1\n"));
  ASSERT_TRUE(write_file_atomically(directory / "two", "B=2\nC=2\n"));
  const auto environment = read_environment({directory / "one", directory / "two"}, {"C=flag"}, {});
  ASSERT_TRUE(environment);
  const wire::Environment expected{{"A", "1"}, {"B", "2"}, {"C", "flag"}};
  EXPECT_EQ(*environment, expected);
}

TEST(Environment, AFileIsNotReadThroughALinkThatAGuestMayHaveMade) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "ws"));
  ASSERT_TRUE(write_file_atomically(directory / "token", "TOKEN=1\n"));
  ASSERT_EQ(::symlink("../token", (directory / "ws/.env").c_str()), 0);
  EXPECT_TRUE(read_environment({directory / "ws/.env"}, {}, {})) << "a link of the user's own";
  SharedDirectories shared;
  shared.add(directory / "ws", "box");
  const auto environment = read_environment({directory / "ws/.env"}, {}, shared);
  ASSERT_FALSE(environment);
  EXPECT_NE(environment.error().what().find("sandbox box"), std::string::npos) << environment.error().what();
}

TEST(Environment, AFileThatIsNotThereIsAUsageError) {
  const auto environment = read_environment({"/no/such/file.env"}, {}, {});
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().code(), Code::kInvalid);
  EXPECT_NE(environment.error().what().find("/no/such/file.env"), std::string::npos);
}

}  // namespace
}  // namespace sbx::cli
