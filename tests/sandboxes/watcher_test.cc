// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/watcher.h"

#include <gtest/gtest.h>

#include <future>

#include "base/socket.h"
#include "base/value.h"

namespace sbx::sandboxes {
namespace {

std::shared_ptr<const ShimProcess> ended_shim() {
  auto child = Child::start({.argv = {"/bin/true"}});
  auto pidfd = duplicate(child->pidfd());
  auto shim = std::make_shared<const ShimProcess>(ShimProcess{child->release(), std::move(*pidfd)});
  EXPECT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  return shim;
}

void say(const Fd& connection, const std::string& kind) {
  EXPECT_TRUE(send_message(connection, dump({{"kind", kind}})));
}

TEST(Watcher, AllThatAShimSaidComesBeforeItsEnd) {
  std::vector<std::string> heard;
  std::promise<std::optional<Exit>> ended;
  const auto watcher = Watcher::create(
      [&](const std::string&, const std::shared_ptr<const ShimProcess>&, std::optional<Exit> exit) {
        ended.set_value(exit);
      },
      [&](const std::string& name, const std::shared_ptr<const ShimProcess>&, const wire::Event& event) {
        heard.push_back(name + " " + std::string(word_of(event.kind)));
      });
  ASSERT_TRUE(watcher);
  auto pair = make_socket_pair();
  for (const char* kind : {"exec_start", "of_tomorrow", "ending"}) say(pair->theirs, kind);
  pair->theirs.reset();
  (*watcher)->add("box", ended_shim(), std::move(pair->ours));
  const auto exit = ended.get_future().get();
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 0);
  EXPECT_EQ(heard, (std::vector<std::string>{"box exec_start", "box unknown", "box ending"}));
}

TEST(Watcher, AConnectionThatOthersKeepOpenDoesNotHoldUpTheEnd) {
  std::promise<void> ended;
  const auto watcher = Watcher::create([&](const auto&, const auto&, auto) { ended.set_value(); },
                                       [](const auto&, const auto&, const auto&) {});
  ASSERT_TRUE(watcher);
  auto pair = make_socket_pair();
  (*watcher)->add("box", ended_shim(), std::move(pair->ours));
  ended.get_future().wait();
}

}  // namespace
}  // namespace sbx::sandboxes
