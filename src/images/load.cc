// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/load.h"

#include <fcntl.h>

#include <algorithm>

#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"
#include "digest/sha256.h"
#include "images/pull.h"
#include "images/reference.h"
#include "images/sources.h"

namespace sbx::images {
namespace {

Result<std::vector<std::string>> names_for(const std::vector<std::string>& given, const std::string& tag) {
  std::vector<std::string> names;
  for (const std::string& name : tag.empty() ? given : std::vector{tag}) {
    TRY_ASSIGN(const Reference reference, parse_reference(name));
    if (!reference.digest.empty()) return fail(Code::kInvalid, "a tag has no digest: " + printable(name));
    names.push_back(reference.whole());
  }
  if (names.empty()) return fail(Code::kInvalid, "the archive has no name for its image", "add --tag NAME");
  return names;
}

// The configuration that the archive names; empty: it has none of that digest.
std::string config_of(const ArchivedImage& image, const std::vector<std::string>& configs) {
  const auto found = std::ranges::find_if(
      configs, [&](const std::string& text) { return image.config == "sha256:" + digest::sha256_of(text); });
  return found == configs.end() ? "" : *found;
}

Result<std::vector<Loaded>> load_images(const Fd& file, const std::vector<ArchivedImage>& found,
                                        const std::vector<std::string>& configs, const std::string& tag,
                                        LayerStore& layers, ImageStore& images, const Progress& progress) {
  if (!tag.empty() && found.size() > 1)
    return fail(Code::kInvalid, sbx::format("the archive has {} images, and --tag is one name", found.size()),
                "leave out --tag");
  std::vector<Loaded> loaded;
  for (const ArchivedImage& image : found) {
    TRY_ASSIGN(auto names, names_for(image.names, tag));
    loaded.push_back({"", std::move(names), image.kind == ArchiveKind::kDocker ? "docker archive" : "oci archive"});
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string config = config_of(found[i], configs);
    TRY_ASSIGN(loaded[i].image, pull_from_archive(found[i].location(file), config, layers, images, progress));
  }
  return loaded;
}

// The whole system of a machine, without a word on how to run it.
Result<std::vector<Loaded>> load_root(const Incoming& archive, const std::string& tag, LayerStore& layers,
                                      ImageStore& images, const Progress& progress) {
  if (tag.empty())
    return fail(Code::kInvalid, "the file is no archive of images; as a root file system it needs a name",
                "add --tag NAME");
  TRY_ASSIGN(auto names, names_for({}, tag));
  TRY_ASSIGN(Fd file, open_path(archive.file(), O_RDONLY));
  TRY_ASSIGN(const layers::Unpacked layer, layers.add(std::move(file), "", [&](std::int64_t bytes) {
    if (progress) progress("unpacking the root file system", bytes, archive.bytes());
  }));
  ImageConfig image;
  image.created = rfc3339(now());
  image.architecture = architecture_here();
  image.rootfs.diff_ids = {layer.diff_id};
  image.history = {{image.created, "template load", "root file system", false}};
  TRY_ASSIGN(std::string digest, images.put(config_text(image)));
  return std::vector<Loaded>{{std::move(digest), std::move(names), "root file system"}};
}

}  // namespace

Result<std::vector<Loaded>> load(const Incoming& archive, const std::string& tag, LayerStore& layers,
                                 ImageStore& images, const Progress& progress) {
  if (progress) progress("looking into the archive", 0, 0);
  TRY_ASSIGN(const layers::Documents documents, layers.look_into(archive));
  if (!documents.has_entries) return fail(Code::kInvalid, "the archive is empty");
  TRY_ASSIGN(const auto found, archived_images(documents.manifest, documents.layout.empty() ? "" : documents.index));
  if (found.empty()) return load_root(archive, tag, layers, images, progress);
  std::string path = archive.file();
  // skopeo reads OCI archives that are compressed, and of docker's only those that are not.
  if (documents.is_compressed && found.front().kind == ArchiveKind::kDocker) {
    TRY_ASSIGN(path, layers.plain(archive));
  }
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY));
  return load_images(file, found, documents.configs, tag, layers, images, progress);
}

}  // namespace sbx::images
