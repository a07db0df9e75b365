// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/export.h"

#include <unistd.h>

#include <cerrno>
#include <functional>
#include <set>

#include "base/json.h"
#include "digest/sha256.h"

namespace sbx::images {
namespace {

constexpr std::size_t kPiece = 256u << 10;

// All bytes of a layer, packed.
Result<> read_packed(const LayerStore& layers, const std::string& diff_id,
                     const std::function<Result<>(std::string_view bytes)>& take) {
  TRY_ASSIGN(Packer packer, layers.pack(diff_id));
  const Fd output = packer.take_output();
  std::string buffer(kPiece, '\0');
  for (;;) {
    const ssize_t n = ::read(output.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read a layer");
    if (n == 0) return packer.finish();
    TRY(take({buffer.data(), static_cast<std::size_t>(n)}));
  }
}

std::string layer_name(const std::string& digest) { return hex_of(digest) + ".tar"; }

std::string config_name(const std::string& config) { return digest::sha256_of(config) + ".json"; }

archive::Member file_named(std::string name, std::int64_t size) {
  archive::Member file;
  file.name = std::move(name);
  file.mode = 0644;
  file.size = size;
  return file;
}

Result<> write_text(archive::ArchiveWriter& writer, const std::string& name, const std::string& text) {
  TRY(writer.add(file_named(name, static_cast<std::int64_t>(text.size()))));
  return writer.content(text);
}

}  // namespace

Result<Export> Export::prepare(const LayerStore& layers, ImageConfig config, const std::string& tag) {
  Export made(layers);
  Json names = Json::array();
  for (std::string& diff_id : config.rootfs.diff_ids) {
    Layer layer{diff_id, "", 0};
    digest::Sha256 hash;
    TRY(read_packed(layers, diff_id, [&](std::string_view bytes) -> Result<> {
      hash.update(bytes);
      layer.bytes += static_cast<std::int64_t>(bytes.size());
      return Ok{};
    }));
    layer.digest = "sha256:" + hash.finish();
    diff_id = layer.digest;
    names.push_back(layer_name(layer.digest));
    made.parts_.push_back(std::move(layer));
  }
  made.config_ = config_text(config);
  const Json tags = tag.empty() ? Json(nullptr) : Json::array({tag});
  made.manifest_ =
      dump(Json::array({{{"Config", config_name(made.config_)}, {"RepoTags", tags}, {"Layers", std::move(names)}}}));
  return made;
}

Result<> Export::write(const archive::Sink& sink) const {
  archive::ArchiveWriter writer(sink);
  TRY(write_text(writer, "manifest.json", manifest_));
  TRY(write_text(writer, config_name(config_), config_));
  std::set<std::string> written;  // one may be there twice
  for (const Layer& layer : parts_)
    if (written.insert(layer.digest).second) TRY(write_layer(writer, layer));
  return writer.finish();
}

Result<> Export::write_layer(archive::ArchiveWriter& writer, const Layer& layer) const {
  TRY(writer.add(file_named(layer_name(layer.digest), layer.bytes)));
  std::int64_t left = layer.bytes;
  digest::Sha256 hash;
  TRY(read_packed(*layers_, layer.diff_id, [&](std::string_view bytes) -> Result<> {
    left -= static_cast<std::int64_t>(bytes.size());
    if (left < 0) return fail(Code::kInternal, "layer " + layer.diff_id + " has changed");
    hash.update(bytes);
    return writer.content(bytes);
  }));
  if (left != 0 || "sha256:" + hash.finish() != layer.digest)
    return fail(Code::kInternal, "layer " + layer.diff_id + " has changed");
  return Ok{};
}

}  // namespace sbx::images
