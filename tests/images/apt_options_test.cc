// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/apt_options.h"

#include <gtest/gtest.h>

namespace sbx::images {
namespace {

using Texts = std::vector<std::string>;

TEST(AptOptions, ProxiesAndRetriesReachBothBuildAndGuest) {
  const auto options = select_options("Acquire::http::Proxy \"http://proxy.test:3128\";\nAcquire::Retries \"3\";\n");
  const Texts both = {"Acquire::http::Proxy \"http://proxy.test:3128\"", "Acquire::Retries \"3\""};
  EXPECT_EQ(options.build, both);
  EXPECT_EQ(options.guest, both);
}

TEST(AptOptions, ALoopbackProxyStaysOnTheHost) {
  for (const std::string host : {"127.0.0.1", "127.9.9.9", "localhost", "[::1]"}) {
    const auto options = select_options("Acquire::http::Proxy \"http://" + host + ":3142\";\n");
    EXPECT_EQ(options.build.size(), 1u) << host;
    EXPECT_EQ(options.guest, Texts{}) << host;
  }
}

TEST(AptOptions, NoCredentialReachesTheGuest) {
  const auto options = select_options(
      "Acquire::https::Proxy \"http://me:secret@proxy.test:3128\";\n"
      "Acquire::https::SslKey \"/etc/ssl/private/apt.key\";\n"
      "Acquire::https::Proxy-Auto-Detect \"/usr/local/bin/find-proxy\";\n");
  EXPECT_EQ(options.build.size(), 3u);
  EXPECT_EQ(options.guest, Texts{});
}

TEST(AptOptions, WhatDoesNotConcernTheMirrorIsLeftOut) {
  const auto options = select_options(
      "Acquire \"\";\nAcquire::http \"\";\nAcquire::http::Proxy \"\";\nAcquire::GzipIndexes \"true\";\n"
      "DPkg::Post-Invoke:: \"rm -f /x\";\nAcquire::Retries \"unfinished\n");
  EXPECT_EQ(options.build, Texts{});
}

}  // namespace
}  // namespace sbx::images
