// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "base/child.h"
#include "cli/fake_daemon.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::cli {

// The program itself with a daemon of the test's own: what it asks for, in which order, and what it makes of answers.
class AskingProgram : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  // What the daemon answers from now on, by "METHOD /path"; anything else is not found.
  void answers(const std::string& request, http::Response response) { responses_[request] = std::move(response); }
  void answers(const std::string& request, const std::string& json) { answers(request, {200, {}, json}); }

  RunOutput sandbox(Words words) { return run_it(sbx::testing::built_program("sandbox"), std::move(words)); }
  // As docker calls it.
  RunOutput docker_sandbox(Words words) {
    const std::string plugin = directory_ / "docker-sandbox";
    EXPECT_TRUE(::symlink(sbx::testing::built_program("sandbox").c_str(), plugin.c_str()) == 0 || errno == EEXIST);
    words.insert(words.begin(), "sandbox");
    return run_it(plugin, std::move(words));
  }

  // Since the last call: "METHOD /path".
  Words asked() {
    Words lines;
    for (const auto& request : requests()) lines.push_back(line_of(request));
    return lines;
  }
  std::vector<http::Request> requests() {
    const auto all = daemon_.requests();
    std::vector<http::Request> fresh(all.begin() + static_cast<std::ptrdiff_t>(seen_), all.end());
    seen_ = all.size();
    return fresh;
  }

  testing::TemporaryDirectory directory_;

 private:
  static std::string line_of(const http::Request& request) {
    std::string line = request.method + " ";
    for (const auto& segment : request.segments) line += "/" + segment;
    return line;
  }

  std::string answer_to(const http::Request& request) {
    const auto found = responses_.find(line_of(request));
    if (found != responses_.end()) return http::render(found->second);
    return http::render(http::Response{404, {}, R"({"error":{"code":"not_found","message":"it is not there"}})"});
  }

  RunOutput run_it(const std::string& program, Words words) {
    // Options of ours come after the command's name, which is one word or two; before it would be docker's.
    words.insert(words.begin(), program);
    words.push_back("--socket=" + directory_ / "socket");
    const auto output = run({.argv = std::move(words),
                             .environment = {{"PATH=/usr/bin:/bin", "HOME=" + directory_.path(),
                                              "SANDBOXES_HOME=" + directory_ / "state"}}});
    EXPECT_TRUE(output) << output.error().what();
    return output.value_or(RunOutput{});
  }

  std::map<std::string, http::Response> responses_;
  std::size_t seen_ = 0;
  FakeDaemon daemon_{directory_ / "socket", [this](const http::Request& request) { return answer_to(request); }};
};

}  // namespace sbx::cli
