// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/image_config.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace sbx::images {
namespace {

const std::string kLayer = "sha256:" + std::string(64, 'a');

// As docker writes it, with members that mean nothing to us and some that are null.
std::string of_docker() {
  return R"({"architecture":"amd64","os":"linux","created":"2026-01-01T00:00:00Z","container":"12",)"
         R"("config":{"Hostname":"","User":"agent","Env":["PATH=/bin","A=b=c","broken"],"Cmd":["bash"],)"
         R"("Entrypoint":null,"Labels":{"com.docker.sandboxes":"templates"},"Volumes":null,"ExposedPorts":{"80/tcp":{}}},)"
         R"("rootfs":{"type":"layers","diff_ids":[")" +
         kLayer + R"("]},"history":[{"created_by":"RUN x","empty_layer":true}]})";
}

TEST(ImageConfig, IsReadAsDockerWritesIt) {
  const auto config = parse_image_config(of_docker());
  ASSERT_TRUE(config) << config.error().what();
  EXPECT_EQ(config->config.user, "agent");
  EXPECT_EQ(config->config.command, std::vector<std::string>{"bash"});
  EXPECT_TRUE(config->config.entrypoint.empty());
  EXPECT_EQ(config->rootfs.diff_ids, std::vector<std::string>{kLayer});
  EXPECT_EQ(config->config.labels.front().second, "templates");
  EXPECT_EQ(environment_of(config->config), (wire::Environment{{"PATH", "/bin"}, {"A", "b=c"}}));
}

TEST(ImageConfig, KeepsWhatItDoesNotKnow) {
  const auto config = parse_image_config(of_docker());
  ASSERT_TRUE(config);
  const auto again = parse_json(config_text(*config));
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)["container"], "12");
  EXPECT_TRUE((*again)["config"]["ExposedPorts"].contains("80/tcp"));
  EXPECT_EQ((*again)["history"][0]["empty_layer"], true);
}

TEST(ImageConfig, IsRefusedIfItIsNone) {
  const std::vector<std::string> texts = {
      "{}",
      "[]",
      "no",
      R"({"rootfs":{"type":"layers","diff_ids":[]}})",
      R"({"rootfs":{"type":"layers","diff_ids":["sha256:../../etc"]}})",
      R"({"os":"windows","rootfs":{"type":"layers","diff_ids":[")" + kLayer + R"("]}})",
      R"({"config":{"Env":"A=b"},"rootfs":{"type":"layers","diff_ids":[")" + kLayer + R"("]}})"};
  for (const std::string& text : texts) EXPECT_FALSE(parse_image_config(text)) << text;
}

}  // namespace
}  // namespace sbx::images
