// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/host_logins.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iterator>

#include "base/child.h"
#include "base/log.h"
#include "secrets/docker_logins.h"
#include "secrets/npm_logins.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kLargestLoginFile = 1u << 20;
constexpr std::chrono::seconds kHelperLimit{10};

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::string in_home(const char* name) { return environment_variable("HOME").value_or("") + "/" + name; }

std::string docker_config() {
  const auto directory = environment_variable("DOCKER_CONFIG");
  return directory && !directory->empty() ? *directory + "/config.json" : in_home(".docker/config.json");
}

std::string npmrc() {
  const auto path = environment_variable("NPM_CONFIG_USERCONFIG");
  return path && !path->empty() ? *path : in_home(".npmrc");
}

// Nothing: it is not there, or not to be used.
std::optional<std::string> own_file(const std::string& path) {
  const auto file = open_path(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!file) return std::nullopt;
  struct stat info {};
  if (::fstat(file->get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != ::getuid()) {
    log_warning("the logins in {} are not used: it is no plain file of yours", path);
    return std::nullopt;
  }
  auto content = read_all(*file, kLargestLoginFile);
  if (content) return std::move(*content);
  log_warning("the logins in {} are not used: {}", path, content.error().what());
  return std::nullopt;
}

Result<std::string> ask_helper(const std::string& helper, const std::string& server) {
  TRY_ASSIGN(Pipe input, make_pipe());
  TRY(write_all(input.write, server));  // far smaller than a pipe
  input.write.reset();
  const std::string program = "docker-credential-" + helper;
  TRY_ASSIGN(auto ran, run({.argv = {program, "get"}, .stdin_fd = input.read.get()}, kHelperLimit));
  // Not what it has printed, which may be anything.
  if (ran.exit.code != 0) return fail(Code::kUnavailable, program + " does not have it");
  return std::move(ran.out);
}

}  // namespace

std::vector<RegistryLogin> read_host_logins() {
  std::vector<RegistryLogin> logins;
  if (const auto config = own_file(docker_config())) {
    auto found = docker_logins(*config, ask_helper);
    if (found)
      logins = std::move(*found);
    else
      log_warning("the logins in {} are not used: {}", docker_config(), found.error().what());
  }
  if (const auto config = own_file(npmrc())) {
    auto found = npm_logins(*config, environment_variable);
    logins.insert(logins.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return logins;
}

}  // namespace sbx::secrets
