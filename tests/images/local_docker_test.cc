// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/local_docker.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <thread>

#include "base/socket.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

// A Docker that answers one request, with this, and keeps what it was asked.
class LocalDocker : public ::testing::Test {
 protected:
  void TearDown() override { ::unsetenv("DOCKER_HOST"); }

  Result<std::string> image_of(const std::string& name, const std::string& answer) {
    const Fd listener = *listen_unix(directory_ / "docker.sock");
    ::setenv("DOCKER_HOST", ("unix://" + directory_ / "docker.sock").c_str(), 1);
    std::thread docker([&] {
      const auto client = accept_unix(listener);
      std::array<char, 4096> bytes;
      const ssize_t n = ::recv(client->get(), bytes.data(), bytes.size(), 0);
      asked_.assign(bytes.data(), static_cast<std::size_t>(n));
      (void)send_all(*client, answer, "answer");
    });
    auto found = image_in_docker(name);
    docker.join();
    return found;
  }

  testing::TemporaryDirectory directory_;
  std::string asked_;
};

TEST_F(LocalDocker, SaysWhichImageANameStandsFor) {
  const auto found = image_of("org/box:1",
                              "HTTP/1.1 200 OK\r\n\r\n"
                              R"({"Id": "sha256:ab", "Size": 4711})");
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_EQ(*found, "sha256:ab");
  EXPECT_TRUE(asked_.starts_with("GET /images/org%2Fbox%3A1/json HTTP/1.1\r\n")) << asked_;
}

TEST_F(LocalDocker, HasNoSuchImageOrFailsAndTheTwoAreTold) {
  const auto missing = image_of("box", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
  const auto broken = image_of("box", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), Code::kUnavailable);
  EXPECT_FALSE(image_of("box", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
  EXPECT_FALSE(image_of("box", ""));
}

TEST_F(LocalDocker, IsAskedOnASocketOfThisHostOnly) {
  ::setenv("DOCKER_HOST", "tcp://192.0.2.1:2375", 1);
  const auto remote = image_in_docker("box");
  ASSERT_FALSE(remote);
  EXPECT_EQ(remote.error().code(), Code::kUnsupported);
  ::setenv("DOCKER_HOST", ("unix://" + directory_ / "none").c_str(), 1);
  const auto none = image_in_docker("box");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace sbx::images
