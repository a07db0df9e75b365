// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/fd.h"
#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx::images {

// A layer as a registry has it.
struct LayerBlob {
  std::string digest;  // of the blob, compressed as it is
  std::int64_t size = 0;
};

// Where an image is, in skopeo's words: "docker://localhost:5000/box:1", "docker-daemon:box:1", "docker-archive:FILE",
// "oci-archive:FILE", "containers-storage:box".
inline constexpr const char* kPassedArchive = "/proc/self/fd/4";

struct ImageLocation {
  std::string text;
  std::string architecture;   // "arm64", "arm/v7"; empty: this host's
  bool plain_http = false;    // a registry on this host may be without TLS
  std::string docker_host{};  // of docker-daemon: "unix:///var/run/docker.sock"; empty: the usual one
  int archive = -1;           // a file that skopeo gets, as kPassedArchive in `text`
  std::string origin{};       // of a registry, as sandboxes reach it: "https://registry.example:443"; empty: none
};

// The same image in a directory that is made for it.
Result<ImageLocation> copied_image(const ImageLocation& location, const std::string& directory);

// One image that is read by way of `skopeo experimental-image-proxy`: it speaks to registries, Docker and archives, has
// the user's logins and certificates, and verifies digests; blobs come as they are, one by one, so that those that are
// here already are not fetched.
//   TRY_ASSIGN(const auto proxy, ImageProxy::open({"docker://localhost:5000/box:1"}));
class ImageProxy {
 public:
  static Result<std::unique_ptr<ImageProxy>> open(const ImageLocation& location);

  const std::string& digest() const { return digest_; }  // of the manifest
  const std::vector<LayerBlob>& layers() const { return layers_; }
  const std::string& config() const { return config_; }  // images/image_config.h

  // The bytes of a layer. EOF comes when finish_blob() is under way: start_finishing() asks for that, and finish_blob()
  // tells, when all has been read, whether it was the right blob. One blob at a time.
  Result<Fd> blob(const LayerBlob& layer);
  Result<> start_finishing();
  Result<> finish_blob();

 private:
  struct Reply;
  ImageProxy(Child child, Fd socket, Fd errors);
  Result<> send(const std::string& method, const Json& arguments);
  Result<Reply> receive();
  Result<Reply> call(const std::string& method, const Json& arguments);
  Result<std::string> read_whole(Reply reply);
  Result<> read_image(const std::string& location);

  Child child_;
  Fd socket_;
  Fd errors_;
  std::int64_t image_ = 0;
  std::int64_t pipe_ = 0;  // of the blob that is being read
  std::string digest_;
  std::vector<LayerBlob> layers_;
  std::string config_;
};

}  // namespace sbx::images
