// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/pull.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/child.h"
#include "base/file.h"
#include "base/json.h"
#include "digest/sha256.h"
#include "idmap/idmap.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

// The real skopeo, on images in OCI layouts that are made here.
namespace sbx::images {
namespace {

std::string said_by(const std::vector<std::string>& argv) {
  Command command;
  command.argv = argv;
  const auto output = run(command);
  EXPECT_TRUE(output && output->exit.code == 0) << argv[0] << (output ? output->err : output.error().what());
  return output ? output->out : "";
}

class PullTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("skopeo")) GTEST_SKIP() << "skopeo is not installed";
    ASSERT_TRUE(make_directories(directory / "oci/blobs/sha256"));
  }
  void TearDown() override { EXPECT_TRUE(idmap::remove_guest_tree(templates)); }

  struct Blob {
    std::string digest;
    std::size_t size;
  };
  Blob put(const std::string& bytes) {
    const std::string hex = digest::sha256_of(bytes);
    EXPECT_TRUE(write_file(directory / ("oci/blobs/sha256/" + hex), bytes));
    return {"sha256:" + hex, bytes.size()};
  }
  static std::string tar_with(const std::string& name, const std::string& content) {
    const testing::TemporaryDirectory tree;
    EXPECT_TRUE(write_file(tree / name, content));
    return said_by({"tar", "-C", tree.path(), "--owner=0", "--group=0", "--mtime=@0", "-c", name});
  }
  // An image of these archives, the lowest first; `claimed` is what its configuration says of the last.
  ImageLocation image(const std::vector<std::string>& archives, const std::string& claimed = "") {
    Json layer_list = Json::array();
    Json diff_ids = Json::array();
    for (const std::string& archive : archives) {
      const Blob blob = put(archive);
      layer_list.push_back(
          {{"mediaType", "application/vnd.oci.image.layer.v1.tar"}, {"digest", blob.digest}, {"size", blob.size}});
      diff_ids.push_back(blob.digest);
    }
    if (!claimed.empty()) diff_ids.back() = claimed;
    const Blob config = put(dump({{"architecture", "amd64"},
                                  {"os", "linux"},
                                  {"config", {{"Env", {"A=b"}}}},
                                  {"rootfs", {{"type", "layers"}, {"diff_ids", diff_ids}}}}));
    const Blob manifest = put(dump({{"schemaVersion", 2},
                                    {"mediaType", "application/vnd.oci.image.manifest.v1+json"},
                                    {"config",
                                     {{"mediaType", "application/vnd.oci.image.config.v1+json"},
                                      {"digest", config.digest},
                                      {"size", config.size}}},
                                    {"layers", layer_list}}));
    EXPECT_TRUE(
        write_file(directory / "oci/index.json", dump({{"schemaVersion", 2},
                                                       {"manifests",
                                                        {{{"mediaType", "application/vnd.oci.image.manifest.v1+json"},
                                                          {"digest", manifest.digest},
                                                          {"size", manifest.size}}}}})));
    EXPECT_TRUE(write_file(directory / "oci/oci-layout", R"({"imageLayoutVersion":"1.0.0"})"));
    return {"oci:" + directory / "oci", "amd64", false};
  }

  testing::TemporaryDirectory directory;
  std::string templates = directory / "templates";
  LayerStore layers{templates, sbx::testing::built_program("sandbox-layer")};
  ImageStore images{templates};
};

TEST_F(PullTest, AnImageIsItsConfigurationAndItsLayers) {
  const auto pulled = pull(image({tar_with("a", "1"), tar_with("b", "2")}), layers, images, nullptr);
  ASSERT_TRUE(pulled) << pulled.error().what();
  const auto config = images.get(pulled->image);
  ASSERT_TRUE(config);
  ASSERT_EQ(config->rootfs.diff_ids.size(), 2u);
  EXPECT_EQ(read_file(layers.root(config->rootfs.diff_ids[0]) + "/a").value_or(""), "1");
  EXPECT_EQ(read_file(layers.root(config->rootfs.diff_ids[1]) + "/b").value_or(""), "2");
  EXPECT_EQ(config->config.environment, std::vector<std::string>{"A=b"});
  EXPECT_TRUE(is_digest(pulled->manifest));
}

TEST_F(PullTest, ALayerThatIsHereIsNotFetchedAgain) {
  const std::string common = tar_with("a", "1");
  ASSERT_TRUE(pull(image({common}), layers, images, nullptr));
  const ImageLocation second = image({common, tar_with("b", "2")});
  ASSERT_TRUE(remove_file(directory / ("oci/blobs/sha256/" + digest::sha256_of(common))));
  const auto pulled = pull(second, layers, images, nullptr);
  ASSERT_TRUE(pulled) << pulled.error().what();
  EXPECT_EQ(layers.list().size(), 2u);
}

TEST_F(PullTest, ABlobThatIsAnotherOneIsRefusedAndLeavesNothing) {
  const std::string archive = tar_with("a", "1");
  const ImageLocation location = image({archive});
  const std::string file = directory / ("oci/blobs/sha256/" + digest::sha256_of(archive));
  ASSERT_TRUE(write_file(file, tar_with("a", "2")));
  const auto pulled = pull(location, layers, images, nullptr);
  ASSERT_FALSE(pulled);
  EXPECT_NE(pulled.error().what().find("digest"), std::string::npos) << pulled.error().what();
  EXPECT_TRUE(layers.list().empty());
  EXPECT_TRUE(images.list().empty());
}

TEST_F(PullTest, ALayerThatIsNotWhatTheConfigurationSaysIsRefused) {
  const auto pulled = pull(image({tar_with("a", "1")}, "sha256:" + std::string(64, 'a')), layers, images, nullptr);
  ASSERT_FALSE(pulled);
  EXPECT_NE(pulled.error().what().find("instead of sha256:aaaa"), std::string::npos) << pulled.error().what();
  EXPECT_TRUE(layers.list().empty());
}

TEST_F(PullTest, AHostileLayerIsRefusedWithTheReason) {
  const testing::TemporaryDirectory tree;
  ASSERT_TRUE(write_file(tree / "f", "x"));
  const std::string archive = said_by({"tar", "-C", tree.path(), "-P", "--transform=s,f,../../f,", "-c", "f"});
  const auto pulled = pull(image({archive}), layers, images, nullptr);
  ASSERT_FALSE(pulled);
  EXPECT_NE(pulled.error().what().find("leads out"), std::string::npos) << pulled.error().what();
}

TEST_F(PullTest, ProgressIsInBytesOfAllLayers) {
  std::vector<std::string> steps;
  std::int64_t most = 0;
  const Progress note = [&](std::string_view step, std::int64_t done, std::int64_t total) {
    if (steps.empty() || steps.back() != step) steps.emplace_back(step);
    EXPECT_LE(done, total);
    most = std::max(most, total);
  };
  ASSERT_TRUE(pull(image({tar_with("a", "1"), tar_with("b", "2")}), layers, images, note));
  EXPECT_EQ(steps, (std::vector<std::string>{"reading the image", "pulling layer 1 of 2", "pulling layer 2 of 2"}));
  EXPECT_EQ(most, 2 * 10240);
}

TEST_F(PullTest, WhatComesFromARegistryIsKeptAsItCame) {
  const std::string archive = tar_with("a", "1");
  ImageLocation location = image({archive});
  const auto store =
      blobs::BlobStore::open(*blobs::BlobStore::make_directory(directory / "blobs", 0), std::uint64_t{1} << 20);
  ASSERT_TRUE(store);
  const KeepBlob keep = [&](const blobs::BlobId& id, std::uint64_t size) {
    return std::optional(*store->begin(id, size));
  };
  const blobs::BlobId id{"https://registry.test:443", digest::sha256_of(archive)};

  ASSERT_TRUE(pull(location, layers, images, nullptr, keep));
  EXPECT_FALSE(store->find(id)) << "this one does not come from a registry";
  ASSERT_TRUE(layers.remove(layers.list().front()));

  location.origin = id.origin;
  const auto pulled = pull(location, layers, images, nullptr, keep);
  ASSERT_TRUE(pulled) << pulled.error().what();
  const auto kept = store->find(id);
  ASSERT_TRUE(kept);
  EXPECT_EQ(read_all(kept->file, 1 << 20).value_or(""), archive);
}

TEST_F(PullTest, WhatCannotBeKeptIsFetchedAllTheSame) {
  ImageLocation location = image({tar_with("a", "1")});
  location.origin = "https://registry.test:443";
  const auto store =
      blobs::BlobStore::open(*blobs::BlobStore::make_directory(directory / "blobs", 0), std::uint64_t{1} << 20);
  ASSERT_TRUE(store);
  const auto too_small = [&](const blobs::BlobId& id, std::uint64_t) { return std::optional(*store->begin(id, 1)); };
  const auto pulled = pull(location, layers, images, nullptr, too_small);
  ASSERT_TRUE(pulled) << pulled.error().what();
  EXPECT_EQ(layers.list().size(), 1u);
}

TEST_F(PullTest, WhatIsNotThereIsNotFound) {
  const auto pulled = pull({"oci:" + directory / "nosuch", "amd64", false}, layers, images, nullptr);
  ASSERT_FALSE(pulled);
  EXPECT_EQ(pulled.error().code(), Code::kNotFound) << pulled.error().what();
}

}  // namespace
}  // namespace sbx::images
