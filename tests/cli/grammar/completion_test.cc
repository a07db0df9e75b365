// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/completion.h"

#include <gtest/gtest.h>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

using Words = std::vector<std::string>;

Completions at(const Words& words) {
  return complete(
      words,
      {[] {
         return Words{"box", "shell-project"};
       },
       [](const std::string& sandbox) {
         return sandbox == "box" ? std::vector<Candidate>{{"1", "claude"}, {"12", "bash"}} : std::vector<Candidate>();
       },
       [] {
         return Words{"org/mine:1", "shell"};
       },
       [] {
         return Words{"anthropic", "claude"};
       }});
}

std::string offered(const Words& words) {
  Words found;
  for (const Candidate& candidate : at(words).candidates) found.push_back(candidate.word);
  return join(found, " ");
}

TEST(Completion, OffersWhatTheTableAllows) {
  EXPECT_EQ(offered({"st"}), "start stop");
  EXPECT_EQ(offered({"run", "--backend", "m"}), "microvm");
  EXPECT_EQ(offered({"create", "--backend="}),
            "--backend=microvm --backend=container --backend=runc --backend=crun --backend=gvisor");
  EXPECT_EQ(offered({"cp", "b"}), "box:");
  EXPECT_EQ(offered({"secret", "rm", "anthropic", "c"}), "claude");
  EXPECT_EQ(offered({"secret", "lease", ""}), "anthropic claude");
  EXPECT_EQ(offered({"secret", "capture", "b"}), "box");
  EXPECT_EQ(offered({"secret", "capture", "box", "c"}), "claude codex");
  EXPECT_EQ(offered({"cp", "file", ""}), "box: shell-project:");
  EXPECT_EQ(offered({"daemon", ""}), "start stop restart status");
  EXPECT_EQ(offered({"network", ""}), "proxy check log");
  EXPECT_EQ(offered({"network", "proxy", "b"}), "box");
  EXPECT_EQ(offered({"network", "proxy", "box", "--al"}), "--allow-host --allow-raw --allow-cidr");
  EXPECT_EQ(offered({"network", "proxy", "box", "--policy", ""}), "allow deny");
  EXPECT_EQ(offered({"network", "proxy", "box", "--preset="}), "--preset=agent");
  EXPECT_EQ(offered({"network", "proxy", "box", "--allow-host", ""}), "");
  EXPECT_EQ(offered({"ports", "box", "--p"}), "--publish");
  EXPECT_EQ(offered({"-D", "ex"}), "exec");
  EXPECT_EQ(offered({"--deb"}), "--debug");
  EXPECT_EQ(offered({"stop", ""}), "box shell-project");
  EXPECT_EQ(offered({"stop", "box", "sh"}), "shell-project");
  EXPECT_EQ(offered({"run", "s"}), "shell shell-project");
  EXPECT_EQ(offered({"exec", "-it", "b"}), "box");
  EXPECT_EQ(offered({"exec", "--in"}), "--interactive");
  EXPECT_EQ(offered({"run", "--pull-template", "m"}), "missing");
  EXPECT_EQ(offered({"run", "--pull-template=m"}), "--pull-template=missing");
  EXPECT_EQ(offered({"completion", ""}), "bash zsh fish");
  EXPECT_EQ(offered({"template", "p"}), "pull push prune");
  EXPECT_EQ(offered({"template", "rm", ""}), "org/mine:1 shell");
  EXPECT_EQ(offered({"template", "pull", "--from", "d"}), "docker");
  EXPECT_EQ(offered({"run", "-t", "o"}), "org/mine:1");
  EXPECT_EQ(offered({"sessions", ""}), "box shell-project kill");
  EXPECT_EQ(offered({"sessions", "kill", "b"}), "box");
  EXPECT_EQ(offered({"sessions", "kill", "box", ""}), "1 12");
  EXPECT_EQ(offered({"attach", "--read-only", "box", "12"}), "12");
  EXPECT_EQ(offered({"attach", "shell-project", ""}), "");
  EXPECT_EQ(offered({"attach", "box", "1", ""}), "");
}

TEST(Completion, OffersNothingWhereNothingIsKnown) {
  EXPECT_EQ(offered({"nonsense", ""}), "");
  EXPECT_EQ(offered({"exec", "box", "--t"}), "");         // the command's own flags
  EXPECT_EQ(offered({"run", "shell", "--", "--n"}), "");  // the agent's
  EXPECT_EQ(offered({"exec", "-e", "b"}), "");
  EXPECT_EQ(offered({"ls", ""}), "");
  EXPECT_EQ(offered({"logs", "box", ""}), "");
}

TEST(Completion, HiddenCommandsAndFlagsStayHidden) {
  EXPECT_EQ(offered({"docs"}), "");
  EXPECT_EQ(offered({"ls", "--no"}), "");
  EXPECT_EQ(offered({"--soc"}), "");
}

TEST(Completion, TheShellDoesFilesAndDirectories) {
  EXPECT_EQ(at({"run", "shell", ""}).directive, Directive::kDirectories);
  EXPECT_EQ(at({"exec", "--env-file", ""}).directive, Directive::kFiles);
  EXPECT_EQ(at({"cp", "x"}).directive, Directive::kFiles);
  EXPECT_EQ(at({"stop", ""}).directive, Directive::kNothing);
}

TEST(Completion, IsRenderedInCobrasProtocol) {
  EXPECT_EQ(render(at({"daemon", "sta"})),
            "start\tStart the daemon if it does not run\nstatus\tShow whether the daemon runs\n:4\n");
}

class CompletionScript : public ::testing::TestWithParam<const char*> {};

TEST_P(CompletionScript, IsAcceptedByItsShell) {
  const testing::TemporaryDirectory directory;
  const std::string file = directory / "script";
  const auto script = completion_script(GetParam());
  ASSERT_TRUE(script);
  ASSERT_TRUE(write_file_atomically(file, *script));
  const auto checked = run({.argv = {GetParam(), "-n", file}});
  if (!checked) GTEST_SKIP() << GetParam() << " is not installed: " << checked.error().what();
  EXPECT_EQ(checked->exit.code, 0) << checked->err;
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionScript, ::testing::Values("bash", "zsh", "fish"));

TEST(Completion, BashTurnsTheAnswerIntoWords) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file_atomically(directory / "script", *completion_script("bash")));
  // A sandbox that answers as ours would to `sandbox run --pull-template=m`.
  ASSERT_TRUE(write_file_atomically(directory / "sandbox",
                                    "#!/bin/sh\n[ \"$*\" = '__complete run --pull-template=m' ] || exit 1\n"
                                    "printf -- '--pull-template=missing\\tdescription\\n:4\\n'\n",
                                    0755));
  const std::string program =
      "source ./script; COMP_LINE='./sandbox run --pull-template=m'; COMP_POINT=${#COMP_LINE}; _sandbox; echo "
      "\"${COMPREPLY[*]}\"";
  const auto ran = run({.argv = {"bash", "-c", program}, .directory = directory.path()});
  if (!ran) GTEST_SKIP() << "bash is not installed: " << ran.error().what();
  EXPECT_EQ(ran->out, "missing\n") << ran->err;
}

TEST(Completion, AnotherShellIsRefused) {
  const auto script = completion_script("powershell");
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().what(), "no completion for \"powershell\" (known: bash, zsh, fish)");
}

}  // namespace
}  // namespace sbx::cli
