// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/reference.h"

#include <gtest/gtest.h>

namespace sbx::images {
namespace {

std::string whole(std::string_view text) {
  const auto reference = parse_reference(text);
  return reference ? reference->whole() : "refused";
}

TEST(Reference, IsReadAsDockerReadsIt) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  EXPECT_EQ(whole("ubuntu"), "docker.io/library/ubuntu:latest");
  EXPECT_EQ(whole("ubuntu:24.04"), "docker.io/library/ubuntu:24.04");
  EXPECT_EQ(whole("docker/sandbox-templates:claude-code"), "docker.io/docker/sandbox-templates:claude-code");
  EXPECT_EQ(whole("localhost:5000/box"), "localhost:5000/box:latest");
  EXPECT_EQ(whole("localhost/box:a"), "localhost/box:a");
  EXPECT_EQ(whole("ghcr.io/org/a/b:c"), "ghcr.io/org/a/b:c");
  EXPECT_EQ(whole("box@" + digest), "docker.io/library/box@" + digest);
  EXPECT_EQ(whole("box:tag@" + digest), "docker.io/library/box:tag@" + digest);
  EXPECT_EQ(whole("my_org/a--b.c__d"), "docker.io/my_org/a--b.c__d:latest");
}

TEST(Reference, IsShownAsDockerShowsIt) {
  EXPECT_EQ(parse_reference("ubuntu")->shown(), "ubuntu:latest");
  EXPECT_EQ(parse_reference("org/box:1")->shown(), "org/box:1");
  EXPECT_EQ(parse_reference("localhost:5000/box:1")->shown(), "localhost:5000/box:1");
}

TEST(Reference, IsRefusedWhereDockerRefusesIt) {
  for (const char* text : {"", "Ubuntu", "a//b", "a:", "a:b c", "a@sha256:1", "-a", "a-", "a/../b", "/a", "a:b:c",
                           "a...b", "a%2Fb", "a\nb", "dir:/etc", "--help"})
    EXPECT_EQ(whole(text), "refused") << text;
  EXPECT_EQ(whole(std::string(300, 'a')), "refused");
  EXPECT_EQ(whole("a:" + std::string(129, 'a')), "refused");
}

}  // namespace
}  // namespace sbx::images
