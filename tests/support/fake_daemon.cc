// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// A daemon that leads one sandbox through its whole life in the fake world whose directory is its argument. The tests
// end it at a fault point; a process of its own, because SANDBOXD_FAULT is read once.
#include "support/fake_world.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const sbx::testing::FakeWorld world{std::string(argv[1])};
  const auto daemon = world.daemon();
  (void)daemon->creation.create(world.request("box"), {});  // fails if it is there already
  (void)daemon->lifecycle.start("box");
  (void)daemon->policies.edit("box", {{"policy", "deny"}});
  auto pair = sbx::make_socket_pair();
  sbx::wire::ExecRequest request;
  request.command = {"true"};
  (void)daemon->execs.exec("box", request, pair->theirs);
  (void)daemon->lifecycle.stop("box");
  (void)daemon->removal.remove("box");
  return 0;
}
