// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/asking_program.h"

namespace sbx::cli {
namespace {

class NetworkCheck : public AskingProgram {
 protected:
  void SetUp() override {
    answers("GET /sandboxes/box/network/check",
            R"({"target":"example.com:443","allowed":false,"decision":"deny","rule":"as the daemon says",)"
            R"("reason":"because","passes":"http","addresses_matter":false,"new_member":1,)"
            R"("remedy":"sandbox network proxy box --allow-host example.com"})");
  }
};

TEST_F(NetworkCheck, IsAnsweredByTheDaemonInOneRequest) {
  const RunOutput output = sandbox({"network", "check", "box", "https://example.com/"});
  EXPECT_EQ(output.exit.code, 1) << output.err;
  EXPECT_EQ(output.out,
            "Blocked by network policy: example.com:443\n"
            "rule: as the daemon says\n"
            "reason: because\n"
            "to allow it, on the host: sandbox network proxy box --allow-host example.com\n");
  const auto requests = this->requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].segments.back(), "check");
  EXPECT_EQ(requests[0].parameter("target"), "https://example.com/");
}

TEST_F(NetworkCheck, ItsRemedyIsWhatTheUserTypes) {
  const RunOutput output = docker_sandbox({"network", "check", "box", "example.com"});
  EXPECT_NE(output.out.find("on the host: docker sandbox network proxy box"), std::string::npos) << output.out;
}

}  // namespace
}  // namespace sbx::cli
