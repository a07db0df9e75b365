// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/sources.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

using wire::TemplateSource;

const Fd kFile;

std::string location_text(TemplateSource kind, const std::string& name) {
  const auto location = location_in(named_source(kind), *parse_reference(name), "");
  return location ? location->text : location.error().what();
}

TEST(Sources, AreWhatSkopeoCallsThem) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file(directory / "docker.sock", ""));
  ::setenv("DOCKER_HOST", ("unix://" + directory / "docker.sock").c_str(), 1);
  EXPECT_EQ(location_text(TemplateSource::kRegistry, "box:1"), "docker://docker.io/library/box:1");
  EXPECT_EQ(location_text(TemplateSource::kAuto, "box"), "docker://docker.io/library/box:latest");
  EXPECT_EQ(location_text(TemplateSource::kDocker, "box:1"), "docker-daemon:box:1");
  EXPECT_EQ(location_text(TemplateSource::kPodman, "localhost/box"), "containers-storage:localhost/box:latest");
  ::setenv("DOCKER_HOST", ("unix://" + directory / "none").c_str(), 1);
  EXPECT_EQ(docker_host(), std::nullopt);
  EXPECT_NE(location_text(TemplateSource::kDocker, "box:1").find("there is no Docker here"), std::string::npos);
  ::unsetenv("DOCKER_HOST");
}

TEST(Sources, OnlyRegistriesOfThisHostMayBeWithoutTls) {
  for (const auto& [name, plain] : {std::pair{"localhost:5000/box", true},
                                    {"127.0.0.1:5000/box", true},
                                    {"localhost.example.com/box", false},
                                    {"registry.test:5000/box", false},
                                    {"box", false}})
    EXPECT_EQ(location_in(named_source(TemplateSource::kRegistry), *parse_reference(name), "")->plain_http, plain)
        << name;
}

TEST(Sources, ARegistryHasTheOriginThatDockerInASandboxAsks) {
  for (const auto& [name, origin] : {std::pair{"box", "https://registry-1.docker.io:443"},
                                     {"registry.test/box", "https://registry.test:443"},
                                     {"registry.test:5000/box", "https://registry.test:5000"},
                                     {"localhost:5000/box", ""}})
    EXPECT_EQ(location_in(named_source(TemplateSource::kRegistry), *parse_reference(name), "")->origin, origin) << name;
}

TEST(Sources, AnArchiveOfDockerNamesEachOfItsImages) {
  const auto found = archived_images(
      R"([{"Config":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.json","RepoTags":["box:1","org/box:2"],"Layers":["l"]},{"Config":"b","RepoTags":null,"Layers":[]}])",
      R"({"manifests":[]})");
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].names, (std::vector<std::string>{"box:1", "org/box:2"}));
  EXPECT_EQ((*found)[0].config, "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
  EXPECT_EQ((*found)[0].location(kFile).text, "docker-archive:/proc/self/fd/4:@0");
  EXPECT_TRUE((*found)[1].names.empty() && (*found)[1].config.empty());
  EXPECT_EQ((*found)[1].location(kFile).text, "docker-archive:/proc/self/fd/4:@1");
}

TEST(Sources, AnImageLayoutIsNamedByItsAnnotations) {
  const auto one = [](const std::string& annotations) {
    return archived_images("", R"({"manifests":[{"digest":"d","annotations":{)" + annotations + "}}]}")->front();
  };
  EXPECT_EQ(one(R"("org.opencontainers.image.ref.name":"org/box:1")").names, std::vector<std::string>{"org/box:1"});
  EXPECT_EQ(one(R"("org.opencontainers.image.ref.name":"org/box:1")").location(kFile).text,
            "oci-archive:/proc/self/fd/4:org/box:1");
  const auto built = one(R"("org.opencontainers.image.ref.name":"1","io.containerd.image.name":"docker.io/org/box:1")");
  EXPECT_EQ(built.names, std::vector<std::string>{"docker.io/org/box:1"});
  EXPECT_EQ(built.selector, ":1");
  EXPECT_TRUE(one(R"("org.opencontainers.image.ref.name":"latest")").names.empty());
  EXPECT_EQ(one("").location(kFile).text, "oci-archive:/proc/self/fd/4");
  EXPECT_FALSE(archived_images("", R"({"manifests":[{"digest":"a"},{"digest":"b"}]})"));
}

TEST(Sources, WhatSaysNothingOfImagesHasNone) {
  EXPECT_TRUE(archived_images("", "")->empty());
  EXPECT_TRUE(archived_images(R"({"name":"a web application"})", "")->empty());  // a file of a root file system
  EXPECT_FALSE(archived_images(R"([{"Config":7}])", ""));
}

TEST(Sources, PlatformsAreOfLinux) {
  EXPECT_EQ(*architecture_of(""), "");
  EXPECT_EQ(*architecture_of("linux/arm64"), "arm64");
  EXPECT_EQ(*architecture_of("arm64"), "arm64");
  EXPECT_EQ(*architecture_of("linux/arm/v7"), "arm/v7");
  for (const char* bad : {"windows/amd64", "linux/", "linux/a/b/c", "linux/ARM", "linux/--tls-verify"})
    EXPECT_FALSE(architecture_of(bad)) << bad;
}

}  // namespace
}  // namespace sbx::images
