// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sandboxes/sandboxes.h"
#include "support/fake_world.h"

namespace sbx::testing {

// A fake world with a daemon in it, and nothing left of it afterwards.
class DaemonTest : public ::testing::Test {
 protected:
  void make(const std::string& name, const std::string& manner = "") {
    const auto created = daemon->creation.create(world.request(name, manner), {});
    ASSERT_TRUE(created) << created.error().what();
  }
  wire::Status status(const std::string& name) { return daemon->registry.info(name)->status; }

  // Until the event comes; the test's own time limit is the only other end.
  wire::Event await(sandboxes::Events::Listener& listener, wire::EventKind kind) {
    for (;;)
      if (auto event = listener.next(std::chrono::seconds(1)); event && event->kind == kind) return *event;
  }
  void TearDown() override { EXPECT_TRUE(daemon->removal.reset()); }

  FakeWorld world;
  std::unique_ptr<sandboxes::Sandboxes> daemon = world.daemon();
};

}  // namespace sbx::testing
