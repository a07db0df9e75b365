// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/steering_variables.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(SteeringVariables, AreThoseThatProgramsObey) {
  for (const char* name : {"PATH",
                           "IFS",
                           "ENV",
                           "SHELL",
                           "HOME",
                           "CDPATH",
                           "PS4",
                           "BASH_ENV",
                           "BASH_FUNC_ls",
                           "PROMPT_COMMAND",
                           "LD_PRELOAD",
                           "LD_LIBRARY_PATH",
                           "DYLD_INSERT_LIBRARIES",
                           "GIT_SSH_COMMAND",
                           "GIT_CONFIG_KEY_0",
                           "GIT_EXEC_PATH",
                           "PAGER",
                           "MANPAGER",
                           "EDITOR",
                           "VISUAL",
                           "BROWSER",
                           "NODE_OPTIONS",
                           "NODE_PATH",
                           "PYTHONPATH",
                           "PYTHONSTARTUP",
                           "PERL5OPT",
                           "PERL5LIB",
                           "PERLLIB",
                           "RUBYOPT",
                           "RUBYLIB",
                           "JAVA_TOOL_OPTIONS",
                           "_JAVA_OPTIONS",
                           "JDK_JAVA_OPTIONS",
                           "MAVEN_OPTS",
                           "MAKEFLAGS",
                           "RUSTC_WRAPPER",
                           "SSH_ASKPASS",
                           "LESSOPEN",
                           "http_proxy",
                           "ALL_PROXY",
                           "npm_config_script_shell",
                           "DOCKER_HOST",
                           "KUBECONFIG",
                           "SSL_CERT_FILE",
                           "ZDOTDIR",
                           "XDG_CONFIG_HOME"})
    EXPECT_TRUE(steers_programs(name)) << name;
}

TEST(SteeringVariables, AreNotThoseThatHoldSecrets) {
  for (const char* name : {"GITHUB_TOKEN",
                           "GH_TOKEN",
                           "GIT_TOKEN",
                           "GIT_PASSWORD",
                           "GITLAB_TOKEN",
                           "OPENAI_API_KEY",
                           "ANTHROPIC_API_KEY",
                           "AWS_ACCESS_KEY_ID",
                           "AWS_SECRET_ACCESS_KEY",
                           "AWS_SESSION_TOKEN",
                           "NPM_TOKEN",
                           "NODE_AUTH_TOKEN",
                           "PGPASSWORD",
                           "DATABASE_URL",
                           "LD_SDK_KEY",
                           "HF_TOKEN",
                           "CARGO_REGISTRY_TOKEN",
                           "TWINE_PASSWORD",
                           "DOCKER_PASSWORD",
                           "SENTRY_DSN",
                           "A"})
    EXPECT_FALSE(steers_programs(name)) << name;
}

}  // namespace
}  // namespace sbx::cli
