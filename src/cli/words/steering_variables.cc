// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/steering_variables.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sbx::cli {
namespace {

// Upper case, as all names are compared: http_proxy and npm_config_* are obeyed, too.
constexpr std::string_view kNames[] = {
    "AR",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "BUNDLE_GEMFILE",
    "BUNDLE_PATH",
    "CC",
    "CDPATH",
    "CLASSPATH",
    "COMPILER_PATH",
    "CURL_HOME",
    "CXX",
    "DOCKER_CONFIG",
    "DOCKER_HOST",
    "EMACSLOADPATH",
    "ENV",
    "EXINIT",
    "FPATH",
    "GCC_EXEC_PREFIX",
    "GCONV_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GOENV",
    "GOPATH",
    "GOROOT",
    "GVIMINIT",
    "HOME",
    "HOSTALIASES",
    "IFS",
    "INPUTRC",
    "JAVA_HOME",
    "KUBECONFIG",
    "LD",
    "LESSCLOSE",
    "LESSOPEN",
    "LIBRARY_PATH",
    "LOCPATH",
    "MAKE",
    "MAKEFILES",
    "NLSPATH",
    "NODE_EXTRA_CA_CERTS",
    "NODE_PATH",
    "OLDPWD",
    "PATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PWD",
    "RUBYLIB",
    "RUBYOPT",
    "RUSTC",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "SSH_AUTH_SOCK",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TERMINFO",
    "TMPDIR",
    "VIMINIT",
    "VISUAL",
    "WGETRC",
    "ZDOTDIR",
};

constexpr std::string_view kBeginnings[] = {
    "ANSIBLE_", "BASH_",   "COMPLUS_", "CORECLR_",    "DOTNET_", "DYLD_",  "ERL_", "GIT_",      "JULIA_",    "LD_",
    "LUA_",     "MALLOC_", "NIX_",     "NPM_CONFIG_", "PERL",    "PYTHON", "QT_",  "R_ENVIRON", "R_PROFILE", "XDG_",
};

constexpr std::string_view kEnds[] = {
    "ASKPASS",    "BROWSER",  "EDITOR",   "FLAGS", "PAGER",  "_ARGS",
    "_CA_BUNDLE", "_COMMAND", "_OPTIONS", "_OPTS", "_PROXY", "_WRAPPER",
};

// With these ends a beginning of the table is only the name of a service: LD_SDK_KEY, GIT_TOKEN.
constexpr std::string_view kEndsOfSecrets[] = {"_API_KEY", "_PASSWORD", "_SDK_KEY", "_SECRET", "_TOKEN"};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

}  // namespace

bool steers_programs(std::string_view variable) {
  const std::string name = upper_case(variable);
  const auto begins = [&](std::string_view text) { return name.starts_with(text); };
  const auto ends = [&](std::string_view text) { return name.ends_with(text); };
  if (std::ranges::find(kNames, name) != std::end(kNames) || std::ranges::any_of(kEnds, ends)) return true;
  return std::ranges::any_of(kBeginnings, begins) && std::ranges::none_of(kEndsOfSecrets, ends);
}

}  // namespace sbx::cli
