// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The API over the fake world whose directory is its argument, for tests in other languages. Prints the table of
// routes, one a line, then "serving", and serves until its standard input ends.
#include <unistd.h>

#include <cstdio>

#include "api/server.h"
#include "base/format.h"
#include "base/socket.h"
#include "support/fake_world.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& route : sbx::api::routes())
    std::fputs(sbx::format("{} {}\n", route.method, route.pattern).c_str(), stdout);
  sbx::testing::FakeWorld world{std::string(argv[1])};
  // Images come from where they say, and recipes from nowhere.
  world.before_template = [&world](const std::string& name) {
    const bool is_image = name.find('/') != std::string::npos || sbx::images::is_digest(name);
    return is_image ? world.template_store->get({name}, {}) : world.stored_template(name);
  };
  const auto sandboxes = world.daemon();
  sbx::builds::Builder builder(*sandboxes, *world.template_store, world.home.templates());
  sbx::api::Services services{*sandboxes, "/home/u", sbx::rfc3339(sbx::now()), [] {}, &builder};
  const auto server = sbx::api::Server::start(std::move(*sbx::listen_unix(world.home.socket())), services);
  std::fputs(sbx::format("serving\n").c_str(), stdout);
  std::fflush(stdout);
  (void)sbx::read_all(sbx::Fd(::dup(0)), 1);
  sandboxes->events.close();
  const bool stopped = (*server)->stop(std::chrono::seconds(30));
  return stopped && sandboxes->removal.reset() ? 0 : 1;
}
