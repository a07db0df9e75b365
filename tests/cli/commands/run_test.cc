// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "cli/asking_program.h"
#include "wire/frame.h"

namespace sbx::cli {
namespace {

class Run : public AskingProgram {
 protected:
  void SetUp() override {
    answers("POST /sandboxes/box/exec",
            {101, {{"Connection", "Upgrade"}, {"Upgrade", "sandbox-exec"}}, exit_frame(R"({"code":3})")});
    answers("DELETE /sandboxes/box", {204, {}, ""});
  }

  static std::string exit_frame(const std::string& payload) {
    const auto head =
        wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, wire::Kind::kExit});
    return std::string(head.data(), head.size()) + payload;
  }

  // What the daemon makes of it.
  void daemon_gives(bool created, const std::string& note = "") {
    const Json info = {
        {"id", "1"},          {"name", "box"}, {"agent", "shell"}, {"status", "running"}, {"isolation", "container"},
        {"created", created}, {"note", note}};
    answers("POST /sandboxes", {200, {{"Connection", "close"}}, "event: result\ndata: " + dump(info) + "\n\n"});
  }

  const std::string here_ = "/tmp";
};

TEST_F(Run, IsOneRequestAndTheExec) {
  daemon_gives(true);
  const RunOutput output = sandbox(
      {"run", "-p", "8080:80", "--add-host", "db.test:10.0.0.1", "-e", "A=1", "--backend", "microvm", "shell", here_});
  EXPECT_EQ(output.exit.code, 3) << output.err;
  const auto requests = this->requests();
  ASSERT_EQ(requests.size(), 2u);
  const Json asked = parse_json(requests[0].body).value_or(Json());
  EXPECT_TRUE(asked["reuse"] == true && asked["start"] == true) << asked.dump();
  EXPECT_EQ(asked["agent"], "shell");
  EXPECT_EQ(asked["ports"][0]["host_port"], 8080);
  EXPECT_EQ(asked["hosts"][0]["name"], "db.test");
  EXPECT_EQ(asked["backend"], "microvm");
  EXPECT_EQ(requests[1].segments.back(), "exec");
  EXPECT_FALSE(parse_json(requests[1].body)->contains("environment")) << "what was just made has it for good";
}

TEST_F(Run, OfASandboxByItsNameAsksForNoAgentAndNoWorkspace) {
  daemon_gives(false);
  EXPECT_EQ(sandbox({"run", "-e", "A=1", "box"}).exit.code, 3);
  const auto requests = this->requests();
  ASSERT_EQ(requests.size(), 2u);
  const Json asked = parse_json(requests[0].body).value_or(Json());
  EXPECT_EQ(asked["name"], "box");
  EXPECT_EQ(asked["agent"], "");
  EXPECT_EQ(dump(asked["workspaces"]), "[]");
  EXPECT_EQ(parse_json(requests[1].body)->at("environment")["A"], "1") << "for this session only";
}

TEST_F(Run, SaysThatTheImageLacksTheAgent) {
  daemon_gives(true);
  const std::string lacking = exit_frame(R"({"code":127,"error":"exec \"bash\": executable file not found in $PATH"})");
  answers("POST /sandboxes/box/exec", {101, {{"Connection", "Upgrade"}, {"Upgrade", "sandbox-exec"}}, lacking});
  const RunOutput output = sandbox({"run", "-q", "shell", here_});
  EXPECT_EQ(output.exit.code, 127);
  EXPECT_EQ(output.err,
            "error: agent binary \"bash\" not found in sandbox: verify this is the correct sandbox type\n"
            "try: sandbox exec -it box sh\n");
}

TEST_F(Run, ThatRemovesKeepsWhatWasThereBefore) {
  daemon_gives(true);
  EXPECT_EQ(sandbox({"run", "--rm", "shell", here_}).exit.code, 3);
  EXPECT_EQ(asked(), (Words{"POST /sandboxes", "POST /sandboxes/box/exec", "DELETE /sandboxes/box"}));
  daemon_gives(false);
  const RunOutput output = sandbox({"run", "--rm", "shell", here_});
  EXPECT_EQ(output.exit.code, 3);
  EXPECT_EQ(output.err, "Sandbox box was there before this run, and --rm keeps it: sandbox rm box\n");
  EXPECT_EQ(asked(), (Words{"POST /sandboxes", "POST /sandboxes/box/exec"}));
}

TEST_F(Run, SaysWhichOneWasChosenUnlessItIsToBeQuiet) {
  daemon_gives(false, "2 sandboxes are for shell in /tmp: this is box");
  EXPECT_EQ(sandbox({"run", "shell", here_}).err, "2 sandboxes are for shell in /tmp: this is box\n");
  EXPECT_EQ(sandbox({"run", "-q", "shell", here_}).err, "");
}

TEST_F(Run, OfAWordThatIsNeitherSaysSo) {
  const RunOutput output = sandbox({"run", "nonsense"});
  EXPECT_EQ(output.exit.code, 125);
  EXPECT_TRUE(output.err.starts_with(
      "error: sandbox \"nonsense\" not found, and invalid agent: nonsense (must be one of: claude"))
      << output.err;
}

TEST_F(Run, TakesTheVendorsFlagsThatChangeNothing) {
  daemon_gives(true);
  EXPECT_EQ(sandbox({"run", "--patch-settings", "--credentials", "none", "shell", here_}).exit.code, 3);
  EXPECT_EQ(sandbox({"run", "--credentials=sandbox", "shell", here_}).exit.code, 3);
  const RunOutput host = sandbox({"run", "--credentials=host", "shell", here_});
  EXPECT_EQ(host.exit.code, 2);
  EXPECT_TRUE(host.err.starts_with("error: --credentials host is not supported: ")) << host.err;
  EXPECT_EQ(sandbox({"run", "--credentials=all", "shell", here_}).exit.code, 2);
}

TEST_F(Run, OfAWorkingDirectoryThatIsMeantAsTheWorkspaceSaysSo) {
  daemon_gives(true);
  const RunOutput output = sandbox({"run", "-w", "/usr", "shell"});
  EXPECT_EQ(output.exit.code, 2);
  EXPECT_TRUE(output.err.starts_with("error: -w /usr: that is outside of the workspace ")) << output.err;
  EXPECT_NE(output.err.find("\ntry: sandbox run shell /usr, or name the workspace, too\n"), std::string::npos)
      << output.err;
  EXPECT_EQ(asked(), Words{});
  EXPECT_EQ(sandbox({"run", "-w", "/usr", "shell", here_}).exit.code, 3) << "the workspace is named";
  EXPECT_EQ(sandbox({"run", "-w", "/only/in/the/sandbox", "shell"}).exit.code, 3);
  EXPECT_EQ(sandbox({"run", "-v", "/usr:/usr:ro", "-w", "/usr/share", "shell"}).exit.code, 3) << "it is mounted";
}

TEST_F(Run, OfATokenOnTheCommandLineSaysWhereItBelongsAndDoesNotRepeatIt) {
  for (const Words& rest : {Words{"--setup-token", "sk-ant-oat01-x"}, Words{"--setup-token=sk-ant-oat01-x"}}) {
    Words words{"run", "claude", "--"};
    words.insert(words.end(), rest.begin(), rest.end());
    const RunOutput output = sandbox(words);
    EXPECT_EQ(output.exit.code, 2) << output.err;
    EXPECT_NE(output.err.find("\ntry: sandbox secret add claude_setup_token\n"), std::string::npos) << output.err;
    EXPECT_EQ(output.err.find("oat01"), std::string::npos) << output.err;
    EXPECT_EQ(asked(), Words{});
  }
}

TEST_F(Run, CreateWithJsonPrintsTheSandboxAndNothingElse) {
  daemon_gives(true, "a line to read");
  const RunOutput output = sandbox({"create", "--json", "shell", here_});
  EXPECT_EQ(output.exit.code, 0) << output.err;
  EXPECT_EQ(output.err, "");
  const Json made = parse_json(output.out).value_or(Json());
  EXPECT_EQ(made["name"], "box");
  EXPECT_EQ(made["note"], "a line to read");
}

TEST_F(Run, OfTwoNamesAtOnceIsRefused) {
  const RunOutput output = sandbox({"run", "--name", "other", "box"});
  EXPECT_EQ(output.exit.code, 2);
  EXPECT_EQ(output.err, "error: which agent, or which sandbox? \"box\" and --name other are two\n");
  EXPECT_EQ(sandbox({"run", ""}).exit.code, 2);
  EXPECT_EQ(asked(), Words{});
}

}  // namespace
}  // namespace sbx::cli
