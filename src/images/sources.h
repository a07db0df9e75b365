// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "images/image_proxy.h"
#include "images/reference.h"
#include "wire/template.h"

// Where images come from: a table in sources.cc, whose rows say how skopeo calls each kind.
namespace sbx::images {

// Those that know images by their names.
struct NamedSource {
  wire::TemplateSource kind;
  std::string_view shown;      // "the local Docker", in what we say
  std::string_view transport;  // of skopeo's: "docker-daemon:"
  std::string (*name)(const Reference& reference);
  Result<> (*available)();
  bool is_copied = false;  // ImageProxy cannot read its layers: copied_image() first
};

const NamedSource& named_source(wire::TemplateSource kind);  // kAuto is the registry's

// `architecture` as in TemplateRequest.
Result<ImageLocation> location_in(const NamedSource& source, const Reference& reference, std::string architecture);

enum class ArchiveKind { kDocker, kOci };

// An image in an archive, by skopeo's words for it, and the names that the archive has for it.
struct ArchivedImage {
  ArchiveKind kind;
  std::string selector;            // after the file: ":@0", ":box:1"; usually empty
  std::vector<std::string> names;  // as parse_reference takes them; may be none
  std::string config = {};         // the digest by which a docker archive names its configuration; may be none

  ImageLocation location(const Fd& file) const;
};

// What `docker save` and OCI image layouts say of themselves; both may be empty: a root file system.
Result<std::vector<ArchivedImage>> archived_images(const std::string& docker_manifest, const std::string& oci_index);

// "linux/arm64", "arm64" or "linux/arm/v7" as TemplateRequest::architecture: "arm64", "arm/v7". Empty: empty.
Result<std::string> architecture_of(const std::string& platform);

// The local Docker, as DOCKER_HOST or the usual sockets say; nothing: there is none.
std::optional<std::string> docker_host();

}  // namespace sbx::images
