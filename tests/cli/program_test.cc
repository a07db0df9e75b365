// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The program itself, as a user and as docker call it. Nothing here needs a daemon.
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/json.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

using Words = std::vector<std::string>;

class Program : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_directories(home_ / "cli-plugins", 0755));
    ASSERT_EQ(::symlink(kProgram.c_str(), plugin().c_str()), 0);
  }
  std::string plugin() const { return home_ / "cli-plugins/docker-sandbox"; }

  RunOutput run_it(Words argv) const {
    const auto output = run({.argv = std::move(argv),
                             .environment = {{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home_.path(),
                                              "DOCKER_CONFIG=" + home_.path(), "SANDBOXES_HOME=" + home_ / "state"}}});
    EXPECT_TRUE(output) << output.error().what();
    return output.value_or(RunOutput{});
  }
  void TearDown() override { EXPECT_FALSE(exists(home_ / "state")) << "a daemon was started"; }
  RunOutput sandbox(Words words) const {
    words.insert(words.begin(), kProgram);
    return run_it(std::move(words));
  }

  static inline const std::string kProgram = sbx::testing::built_program("sandbox");
  testing::TemporaryDirectory home_;
};

TEST_F(Program, VersionIsOneLineAndStartsNothing) {
  const RunOutput output = sandbox({"version"});
  EXPECT_EQ(output.exit.code, 0);
  EXPECT_TRUE(output.out.starts_with("github.com/sandboxd/sandboxd v")) << output.out;
  EXPECT_EQ(output.out.size() - output.out.find_last_of(' ') - 1, 41u) << "40 digits and a new line: " << output.out;
  EXPECT_EQ(sandbox({"--version"}).out, output.out);
  EXPECT_FALSE(exists(home_ / "state"));
}

TEST_F(Program, VersionAsJsonDoesWithoutADaemon) {
  const auto json = parse_json(sandbox({"version", "--json"}).out);
  ASSERT_TRUE(json);
  EXPECT_FALSE(json->contains("daemon"));
  EXPECT_FALSE(exists(home_ / "state"));
}

TEST_F(Program, HelpGoesToStandardOutput) {
  const std::string help = sandbox({}).out;
  EXPECT_TRUE(help.starts_with("Usage:  sandbox [OPTIONS] COMMAND\n"));
  EXPECT_EQ(sandbox({"--help"}).out, help);
  EXPECT_EQ(sandbox({"help"}).out, help);
  const std::string exec = sandbox({"exec", "--help"}).out;
  EXPECT_TRUE(exec.starts_with("Usage:  sandbox exec [OPTIONS] SANDBOX COMMAND [ARG...]\n"));
  EXPECT_EQ(sandbox({"help", "exec"}).out, exec);
  EXPECT_EQ(sandbox({"--help", "exec"}).out, exec);
  EXPECT_EQ(sandbox({"--socket", home_ / "none.sock", "exec", "box", "--help"}).out, "") << "that is the command's";
}

struct Mistake {
  Words words;
  const char* error;
};

TEST_F(Program, WrongUsageIsTwoAndSaysWhatWouldHelp) {
  const Mistake mistakes[] = {
      {{"exec", "--foo", "box", "ls"}, "error: unknown flag: --foo\ntry: sandbox exec --help\n"},
      {{"--foo", "ls"}, "error: unknown flag: --foo\ntry: sandbox --help\n"},
      {{"exce", "box"}, "error: unknown command: exce\ntry: sandbox exec\n"},
      {{"frobnicate"}, "error: unknown command: frobnicate\ntry: sandbox --help\n"},
      {{"exec", "box"}, "error: \"sandbox exec\" requires at least 2 arguments\ntry: sandbox exec --help\n"},
      {{"stop"}, "error: \"sandbox stop\" requires at least 1 argument\ntry: sandbox stop --help\n"},
      {{"ls", "box"}, "error: \"sandbox ls\" accepts no arguments\ntry: sandbox ls --help\n"},
      {{"daemon", "frob"}, "error: unknown command: daemon frob\ntry: sandbox daemon --help\n"},
      {{"run"}, "error: which agent, or which sandbox?\ntry: sandbox run shell .\n"},
      {{"run", "shell", "/no/such/dir"}, "error: workspace /no/such/dir does not exist\ntry: mkdir -p /no/such/dir\n"},
      {{"create", "clod"},
       "error: invalid agent: clod (must be one of: claude, codex, gemini, copilot, opencode, qwen, crush, pi, amp, "
       "droid, kiro, cagent, cursor, shell)\n"},
      {{"cp", "a:/x", "b:/x"},
       "error: copying between sandboxes is not supported\n"
       "try: sandbox cp a:PATH - | sandbox cp - b:PATH\n"},
      {{"cp", "x", "y"}, "error: one of the two must be in a sandbox: SANDBOX:PATH\ntry: sandbox cp --help\n"},
      {{"exec", "-it", "box", "sh"}, "error: the input device is not a TTY\ntry: sandbox exec -i box ...\n"},
      {{"run", "-m", "lots", "shell"}, "error: --memory lots: must be a size such as 512m or 8g\n"},
      {{"run", "--disk", "big", "shell"}, "error: --disk big: must be a size such as 512m or 8g\n"},
      {{"run", "--cpus", "two", "shell"}, "error: --cpus two: must be a number such as 2 or 1.5\n"},
      {{"network", "frob"}, "error: unknown command: network frob\ntry: sandbox network --help\n"},
      {{"network", "proxy"},
       "error: \"sandbox network proxy\" requires at least 1 argument\ntry: sandbox network proxy --help\n"},
      {{"network", "check", "box"},
       "error: \"sandbox network check\" requires at least 2 arguments\ntry: sandbox network check --help\n"},
      {{"network", "log", "--limit", "x"}, "error: --limit x: must be a number of lines\n"},
      {{"ports", "box", "--publish", "80/udp"}, "error: --publish 80/udp: only TCP can be published, not \"udp\"\n"},
      {{"run", "-p", "x", "shell"}, "error: --publish x: \"x\" is not a port\n"},
      {{"create", "--add-host", "db", "shell"}, "error: --add-host db: must be NAME:IP\n"},
      {{"create", "--label", "=x", "shell"}, "error: label without a name: \"=x\"\n"},
      {{"ls", "--filter", "x"}, "error: --filter x: must be KEY=VALUE\n"},
      {{"run", "--pull-template", "x", "shell"}, "error: --pull-template x: must be always, missing or never\n"},
  };
  for (const Mistake& mistake : mistakes) {
    const RunOutput output = sandbox(mistake.words);
    EXPECT_EQ(output.exit.code, 2) << mistake.error;
    EXPECT_EQ(output.err, mistake.error);
    EXPECT_EQ(output.out, "") << mistake.error;
  }
}

TEST_F(Program, ADaemonThatIsNotThereIsOurFailure) {
  const RunOutput output = sandbox({"--socket", home_ / "none.sock", "ls"});
  EXPECT_EQ(output.exit.code, 125);
  EXPECT_TRUE(output.err.starts_with("error: no daemon is running: ")) << output.err;
  EXPECT_EQ(sandbox({"ls", "--socket=" + home_ / "none.sock"}).err, output.err);
}

TEST_F(Program, AFullDiskBehindStandardOutputIsNotSuccess) {
  const RunOutput output = run_it({"sh", "-c", kProgram + " version >/dev/full"});
  EXPECT_EQ(output.exit.code, 125);
  EXPECT_NE(output.err.find("write to standard output: No space left on device"), std::string::npos) << output.err;
}

TEST_F(Program, AReaderThatIsGoneEndsItSilently) {
  const RunOutput output = run_it({"bash", "-c", kProgram + " docs-markdown | head -c 1; exit ${PIPESTATUS[0]}"});
  EXPECT_TRUE(output.exit.code == 0 || output.exit.code == 141) << output.exit.code;  // it may have been faster
  EXPECT_EQ(output.err, "");
}

TEST_F(Program, TellsDockerWhatItIs) {
  const auto metadata = parse_json(run_it({plugin(), "docker-cli-plugin-metadata"}).out);
  ASSERT_TRUE(metadata);
  EXPECT_EQ((*metadata)["SchemaVersion"], "0.1.0");
  EXPECT_EQ((*metadata)["Vendor"], "sandboxd");
  EXPECT_TRUE((*metadata)["Version"].get<std::string>().starts_with("v"));
}

TEST_F(Program, AsAPluginItTakesDockersOptionsAndItsOwnName) {
  const std::string version = sandbox({"version"}).out;
  EXPECT_EQ(run_it({plugin(), "sandbox", "version"}).out, version);
  EXPECT_EQ(run_it({plugin(), "-D", "--context", "default", "-H", "unix:///x", "sandbox", "version"}).out, version);
  EXPECT_TRUE(run_it({plugin(), "sandbox", "ls", "--help"}).out.starts_with("Usage:  docker sandbox ls"));
}

TEST_F(Program, TheRealDockerClientFindsIt) {
  const auto docker = run({.argv = {"docker", "--version"}});
  if (!docker || docker->exit.code != 0) GTEST_SKIP() << "the docker client is not installed";
  EXPECT_EQ(run_it({"docker", "sandbox", "version"}).out, sandbox({"version"}).out);
  EXPECT_EQ(run_it({"docker", "help", "sandbox"}).out, run_it({plugin(), "sandbox", "--help"}).out);
  EXPECT_EQ(run_it({"docker", "help", "sandbox", "ls"}).out, run_it({plugin(), "sandbox", "ls", "--help"}).out);
  const RunOutput unknown = run_it({"docker", "sandbox", "exec", "--foo"});
  EXPECT_EQ(unknown.exit.code, 2);
  EXPECT_NE(unknown.err.find("try: docker sandbox exec --help"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace sbx::cli
