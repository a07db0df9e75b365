// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/connect.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

namespace sbx::guest {
namespace {

constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:05AF 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0\n"
    "   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0\n";

TEST(Listener, IsFoundByItsPortAndState) {
  EXPECT_TRUE(has_listener(kTable, 1455));
  EXPECT_FALSE(has_listener(kTable, 8080)) << "that is a connection";
  EXPECT_FALSE(has_listener(kTable, 1456));
  EXPECT_FALSE(has_listener("", 1455));
}

TEST(Relay, PassesOnBothWaysAndTheEndOfEach) {
  SocketPair server = make_socket_pair().value();
  Pipe in = make_pipe().value();
  Pipe out = make_pipe().value();
  std::thread relaying([&] { EXPECT_TRUE(relay(in.read, out.write, server.ours)); });
  ASSERT_TRUE(write_all(in.write, "question"));
  in.write.reset();
  EXPECT_EQ(*read_all(server.theirs, 100), "question") << "its end came, too";
  ASSERT_TRUE(write_all(server.theirs, "answer"));
  server.theirs.reset();
  relaying.join();
  out.write.reset();
  EXPECT_EQ(*read_all(out.read, 100), "answer");
}

}  // namespace
}  // namespace sbx::guest
