// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/engine.h"

#include <gtest/gtest.h>

#include "agentloop/local_world.h"
#include "agentloop/loop_files.h"
#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

// A real directory with git, and an agent that is a script.
class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    sh("mkdir work home && cd work && git init -q -b main . && git config user.email a@b && git config user.name n && "
       "echo one >tracked && echo ignored.txt >.gitignore && git add -A && git commit -q -m first && echo two "
       ">untracked");
    settings_.id = "test";
    settings_.agent = "shell";
    settings_.directory = work_;
    settings_.arguments = {"./agent"};
    settings_.prompt = "Do it.";
    settings_.promise = "DONE";
    agent("exit 0");
  }

  std::string sh(const std::string& script) {
    const auto output = sbx::run({.argv = {"/bin/sh", "-c", "cd " + directory_.path() + " && " + script}});
    EXPECT_TRUE(output && output->exit.code == 0) << script << (output ? output->err : "");
    return output ? std::string(trimmed(output->out)) : "";
  }
  std::string in_work(const std::string& script) { return sh("cd work && " + script); }
  // Ignored, so that it is no change of its own.
  void agent(const std::string& script) {
    EXPECT_TRUE(write_file(work_ + "/agent", "#!/bin/sh\n" + script + "\n", 0755));
    in_work("grep -qx agent .git/info/exclude || echo agent >>.git/info/exclude");
  }
  LoopFiles& files() {
    if (!files_) files_ = LoopFiles::create(directory_.path() + "/home", settings_).value();
    return *files_;
  }
  Outcome run() {
    LoopFiles& ledger = files();
    const auto ran = Engine(settings_, state_, world_, ledger).run();
    EXPECT_TRUE(ran) << (ran ? "" : ran.error().what());
    return state_.outcome;
  }

  testing::TemporaryDirectory directory_;
  const std::string work_ = directory_.path() + "/work";
  Settings settings_;
  State state_;
  LocalWorld world_{directory_.path() + "/kept"};
  std::optional<LoopFiles> files_;
};

TEST_F(EngineTest, EndsWithThePromise) {
  agent("n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) >n; [ $n -lt 2 ] || echo '<promise>DONE</promise>'");
  EXPECT_EQ(run(), Outcome::kComplete);
  EXPECT_EQ(state_.iterations.size(), 3u);
  EXPECT_TRUE(state_.iterations.back().promised);
}

TEST_F(EngineTest, IsNotEndedByAnAgentThatRepeatsItsPrompt) {
  settings_.prompt = "Say\n<promise>DONE</promise>";
  settings_.most = 2;
  agent("date +%N >changed; printf '%s\\n' \"$1\"");
  EXPECT_EQ(run(), Outcome::kMost);
}

TEST_F(EngineTest, BelievesTheCommandAndNotTheAgent) {
  settings_.until_command = "test -e made2";
  agent("if [ -e made ]; then touch made2; else touch made; fi; echo DONE");
  EXPECT_EQ(run(), Outcome::kComplete);
  ASSERT_EQ(state_.iterations.size(), 2u);
  EXPECT_EQ(state_.iterations[0].until_code, 1);
  EXPECT_EQ(state_.iterations[1].until_code, 0);
}

TEST_F(EngineTest, RemembersTheFilesOfTheLastTwentyIterations) {
  settings_.most = 22;
  agent("date +%N >changed");
  EXPECT_EQ(run(), Outcome::kMost);
  ASSERT_EQ(state_.iterations.size(), 22u);
  EXPECT_TRUE(state_.iterations[1].files.empty());
  EXPECT_EQ(state_.iterations[1].changed, 1);
  EXPECT_EQ(state_.iterations[2].files, std::vector<std::string>{"changed"});
}

TEST_F(EngineTest, EndsWhenNothingChanges) {
  EXPECT_EQ(run(), Outcome::kStuck);
  EXPECT_EQ(state_.iterations.size(), 3u);
}

TEST_F(EngineTest, WorksThroughTheStoriesOfAPrd) {
  EXPECT_TRUE(
      write_file(work_ + "/prd.json",
                 R"({"stories":[{"id":"b","title":"B","priority":2},{"id":"a","title":"A","priority":1}],"x":1})"));
  settings_.prompt.clear();
  settings_.prd = "prd.json";
  agent(
      "case $1 in *'a: A'*) touch a; echo DONE ;; *) touch b; sed -i 's/\"priority\": 2/\"priority\": 2, \"passes\": "
      "true/' prd.json ;; esac");
  EXPECT_EQ(run(), Outcome::kComplete);
  ASSERT_EQ(state_.iterations.size(), 2u);
  EXPECT_EQ(state_.iterations[0].story, "a");
  EXPECT_EQ(state_.iterations[1].story, "b");
  EXPECT_EQ(
      in_work("jq -c . prd.json"),
      R"({"stories":[{"id":"b","title":"B","priority":2,"passes":true},{"id":"a","title":"A","priority":1,"passes":true}],"x":1})");
}

TEST_F(EngineTest, TakesBackAStoryThatTheAgentPassedAndTheCommandDidNot) {
  EXPECT_TRUE(write_file(work_ + "/prd.json", R"({"stories":[{"id":"a","passes":false}]})"));
  settings_.prd = "prd.json";
  settings_.until_command = "false";
  settings_.most = 1;
  agent("sed -i s/false/true/ prd.json; echo DONE");
  EXPECT_EQ(run(), Outcome::kMost);
  EXPECT_EQ(in_work("jq .stories[0].passes prd.json"), "false");
}

TEST_F(EngineTest, LeavesTheUsersBranchAndIndexAlone) {
  in_work("echo staged >staged && git add staged");
  const std::string before = in_work("git rev-parse HEAD; git diff --cached; git branch --show-current");
  settings_.most = 1;
  agent("echo x >>tracked; rm untracked; mkdir d; echo new >d/new; echo y >ignored.txt");
  run();
  EXPECT_EQ(in_work("git rev-parse HEAD; git diff --cached; git branch --show-current"), before);
  EXPECT_EQ(state_.iterations[0].changed, 3);
  EXPECT_EQ(in_work("git ls-tree -r --name-only refs/sandbox/loops/test/1"), ".gitignore\nd/new\nstaged\ntracked");
}

TEST_F(EngineTest, UndoesToTheFile) {
  settings_.most = 2;
  agent(
      "if [ -e d ]; then rm -r d; echo z >tracked; else echo x >>tracked; rm untracked; mkdir d; echo new >d/new; "
      "chmod 755 tracked; ln -s d link; fi; echo y >ignored.txt");
  run();
  Checkpoints checkpoints(world_, "test", work_);
  ASSERT_TRUE(checkpoints.restore(state_.iterations[0].commit));
  EXPECT_EQ(in_work("cat tracked d/new; readlink link; stat -c %a tracked; ls untracked 2>/dev/null; cat ignored.txt"),
            "one\nx\nnew\nd\n755\ny");
  ASSERT_TRUE(checkpoints.restore(state_.begin.commit));
  EXPECT_EQ(in_work("cat tracked untracked; stat -c %a tracked; ls -d d link 2>/dev/null; cat ignored.txt"),
            "one\ntwo\n644\ny");
  ASSERT_TRUE(checkpoints.restore(state_.iterations[1].commit));
  EXPECT_EQ(in_work("cat tracked; ls"), "z\nagent\nignored.txt\nlink\ntracked");
  EXPECT_EQ(in_work("git status --porcelain"), "M tracked\n?? link");
}

TEST_F(EngineTest, PutsBackTheFilesOfAnAgentThatFails) {
  settings_.most = 1;
  settings_.on_fail = OnFail::kRevert;
  agent("echo x >>tracked; touch more; exit 1");
  run();
  EXPECT_TRUE(state_.iterations[0].reverted);
  EXPECT_EQ(in_work("cat tracked; ls"), "one\nagent\ntracked\nuntracked");
  EXPECT_EQ(in_work("git show refs/sandbox/loops/test/1:tracked"), "one\nx");
}

TEST_F(EngineTest, WorksWithoutARepository) {
  agent("echo x >>tracked");
  sh("rm -rf work/.git");
  settings_.most = 1;
  ::setenv("HOME", (directory_.path() + "/home").c_str(), 1);
  run();
  EXPECT_EQ(state_.iterations[0].changed, 1);
  Checkpoints checkpoints(world_, "test", work_);
  EXPECT_NE(checkpoints.diff(state_.begin.commit, state_.iterations[0].commit)->find("+x"), std::string::npos);
  ASSERT_TRUE(checkpoints.restore(state_.begin.commit));
  EXPECT_EQ(in_work("cat tracked; ls -a | grep -c .git$ || true"), "one\n0");
}

TEST_F(EngineTest, GoesOnInARepositoryOfItsOwnWhenTheAgentMakesOne) {
  sh("rm -rf work/.git");
  EXPECT_TRUE(write_file(work_ + "/agent", "#!/bin/sh\n[ -e .git ] || git init -q .\necho x >>tracked\n", 0755));
  settings_.most = 3;
  ::setenv("HOME", (directory_.path() + "/home").c_str(), 1);
  EXPECT_EQ(run(), Outcome::kMost);
  ASSERT_EQ(state_.iterations.size(), 3u);
  Checkpoints checkpoints(world_, "test", work_);
  ASSERT_TRUE(checkpoints.restore(state_.iterations[0].commit));
  EXPECT_EQ(in_work("cat tracked; git for-each-ref | wc -l"), "one\nx\n0");
  ASSERT_TRUE(checkpoints.forget());
  EXPECT_FALSE(exists(directory_.path() + "/home/.loops/test.git"));
}

TEST_F(EngineTest, CommitsOnNoBranchWhereThereIsNone) {
  agent("echo x >>tracked");
  sh("rm -rf work/.git");
  settings_.most = 1;
  settings_.commits = true;
  ::setenv("HOME", (directory_.path() + "/home").c_str(), 1);
  EXPECT_EQ(run(), Outcome::kMost);
  EXPECT_EQ(sh("git --git-dir home/.loops/test.git for-each-ref --format='%(refname)' refs/heads"), "");
}

TEST_F(EngineTest, UndoesNothingBesideADirectoryOfARepository) {
  in_work("mkdir -p sub/deep && echo one >sub/kept && echo one >sub/deep/file && git add -A && git commit -q -m sub");
  settings_.directory = work_ + "/sub";
  settings_.arguments = {"../agent"};
  settings_.most = 1;
  agent("echo two >kept; rm -r deep; mkdir more; touch more/new; echo y >ignored.txt");
  run();
  ASSERT_EQ(state_.iterations.size(), 1u);
  in_work("echo mine >>tracked; rm untracked; echo mine >beside; echo mine >sub/later");
  Checkpoints checkpoints(world_, "test", settings_.directory);
  ASSERT_TRUE(checkpoints.restore(state_.begin.commit));
  EXPECT_EQ(in_work("cat tracked beside; ls; cd sub; cat kept deep/file ignored.txt; ls"),
            "one\nmine\nmine\nagent\nbeside\nsub\ntracked\none\none\ny\ndeep\nignored.txt\nkept");
  ASSERT_TRUE(checkpoints.restore(state_.iterations[0].commit));
  EXPECT_EQ(in_work("cat tracked; cd sub; cat kept; ls . more"),
            "one\nmine\ntwo\n.:\nignored.txt\nkept\nmore\n\nmore:\nnew");
}

TEST_F(EngineTest, EndsAnAgentThatHangs) {
  settings_.most = 1;
  settings_.idle_timeout_s = 1;
  agent("touch x; sleep 600");
  EXPECT_EQ(run(), Outcome::kMost);
  EXPECT_EQ(state_.iterations[0].end, TurnEnd::kIdle);
}

TEST_F(EngineTest, StopsAtOnceWithoutAnAgent) {
  settings_.arguments = {"./nothing-there"};
  EXPECT_EQ(run(), Outcome::kFailed);
  EXPECT_TRUE(state_.iterations.empty());
}

TEST_F(EngineTest, SeesALimitThatTheUserChangesMeanwhile) {
  settings_.most = 5;
  agent("date +%N >changed; sed -i 's/\"most\": 5/\"most\": 2/' " + files().directory() + "/settings.json");
  EXPECT_EQ(run(), Outcome::kMost);
  EXPECT_EQ(state_.iterations.size(), 2u);
}

// A world that stops answering when the loop is cancelled.
class CancelledWorld : public LocalWorld {
 public:
  CancelledWorld(std::string kept, LoopFiles& files) : LocalWorld(std::move(kept)), files_(files) {}
  Result<Answer> ask(const std::vector<std::string>& command, const std::string& directory,
                     std::string_view input) override {
    if (!exists(directory + "/worked")) return LocalWorld::ask(command, directory, input);
    EXPECT_TRUE(files_.want_cancel(true));
    return fail(Code::kTimeout, "it was cancelled");
  }

 private:
  LoopFiles& files_;
};

TEST_F(EngineTest, ThatIsCancelledWhileItAsksTheWorldWasCancelledAndHasNotFailed) {
  agent("touch worked");
  CancelledWorld world(directory_.path() + "/kept", files());
  ASSERT_TRUE(Engine(settings_, state_, world, files()).run());
  EXPECT_EQ(state_.outcome, Outcome::kCancelled);
}

TEST_F(EngineTest, GivesAddedWordsToTheNextIterationOnly) {
  agent("printf '%s' \"$1\" >said-$(ls | grep -c said)");
  settings_.most = 2;
  ASSERT_TRUE(files().add_context("mind the gap"));
  run();
  EXPECT_EQ(in_work("grep -l 'mind the gap' said-*"), "said-0");
}

TEST_F(EngineTest, WorksInAWorktreeOfItsOwn) {
  settings_.worktree = "side";
  settings_.most = 1;
  agent("");
  EXPECT_TRUE(write_file(directory_.path() + "/agent", "#!/bin/sh\ntouch here\n", 0755));
  settings_.arguments = {directory_.path() + "/agent"};
  run();
  EXPECT_EQ(in_work("ls .worktrees/side"), "here\ntracked");
  EXPECT_EQ(in_work("git branch --show-current; git -C .worktrees/side branch --show-current; git status --porcelain"),
            "main\nside\n?? untracked");
}

TEST_F(EngineTest, RunsNoHookOfTheRepository) {
  in_work(
      "mkdir -p hooks && for h in reference-transaction post-index-change post-checkout pre-commit; do printf "
      "'#!/bin/sh\\ntouch %s/hooked\\n' " +
      directory_.path() +
      " >.git/hooks/$h; chmod 755 .git/hooks/$h; done; git config core.fsmonitor .git/hooks/pre-commit");
  sh("rm -f hooked");
  settings_.most = 1;
  agent("touch x");
  run();
  EXPECT_FALSE(exists(directory_.path() + "/hooked"));
}

}  // namespace
}  // namespace sbx::agentloop
