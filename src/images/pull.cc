// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/pull.h"

#include <algorithm>

#include "base/format.h"

namespace sbx::images {
namespace {

// A layer that is to be fetched, and the digest that it has to have unpacked.
struct Missing {
  LayerBlob blob;
  std::string diff_id;
};

Result<std::vector<Missing>> missing_layers(const ImageProxy& proxy, const ImageConfig& config,
                                            const LayerStore& layers) {
  const auto& diff_ids = config.rootfs.diff_ids;
  if (diff_ids.size() != proxy.layers().size())
    return fail(Code::kInvalid, sbx::format("the image has {} layers, and its configuration names {}",
                                            proxy.layers().size(), diff_ids.size()));
  std::vector<Missing> missing;
  for (std::size_t i = 0; i < diff_ids.size(); ++i)
    if (!layers.has(diff_ids[i])) missing.push_back({proxy.layers()[i], diff_ids[i]});
  return missing;
}

std::optional<blobs::NewBlob> place_for(const LayerBlob& layer, const std::string& origin, const KeepBlob& keep) {
  constexpr std::string_view kAlgorithm = "sha256:";
  if (!keep || origin.empty() || layer.size <= 0 || !layer.digest.starts_with(kAlgorithm)) return std::nullopt;
  const blobs::BlobId id{origin, layer.digest.substr(kAlgorithm.size())};
  return blobs::is_well_formed(id) ? keep(id, static_cast<std::uint64_t>(layer.size)) : std::nullopt;
}

Result<> fetch(ImageProxy& proxy, const Missing& layer, LayerStore& layers, std::optional<blobs::NewBlob> kept,
               const layers::BytesRead& progress) {
  TRY_ASSIGN(Fd blob, proxy.blob(layer.blob));
  TRY(proxy.start_finishing());
  std::optional<BlobCopy> copy;
  if (kept) {
    TRY_ASSIGN(auto begun, BlobCopy::begin(std::move(blob), std::move(*kept)));
    copy.emplace(std::move(begun));
    blob = copy->take_reader();
  }
  const auto added = layers.add(std::move(blob), layer.diff_id, progress);
  if (copy) copy->finish();
  const auto fetched = proxy.finish_blob();
  TRY(added);  // says more than that the pipe broke
  return fetched;
}

Result<> fetch_missing(ImageProxy& proxy, const ImageConfig& config, const std::string& origin, LayerStore& layers,
                       const Progress& progress, const KeepBlob& keep) {
  TRY_ASSIGN(const std::vector<Missing> missing, missing_layers(proxy, config, layers));
  std::int64_t total = 0;
  for (const Missing& layer : missing) total += layer.blob.size;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (layers.has(missing[i].diff_id)) continue;  // an image may have a layer twice
    const std::string step = sbx::format("pulling layer {} of {}", i + 1, missing.size());
    const auto bytes_read = [&](std::int64_t bytes) {
      if (progress) progress(step, before + bytes, total);
    };
    bytes_read(0);
    TRY(fetch(proxy, missing[i], layers, place_for(missing[i].blob, origin, keep), bytes_read));
    before += missing[i].blob.size;
  }
  return Ok{};
}

}  // namespace

Result<Pulled> pull(const ImageLocation& location, LayerStore& layers, ImageStore& images, const Progress& progress,
                    const KeepBlob& keep) {
  if (progress) progress("reading the image", 0, 0);
  TRY_ASSIGN(const auto proxy, ImageProxy::open(location));
  TRY_ASSIGN(const ImageConfig config, parse_image_config(proxy->config()));
  TRY(fetch_missing(*proxy, config, location.origin, layers, progress, keep));
  TRY_ASSIGN(std::string image, images.put(proxy->config()));
  return Pulled{std::move(image), proxy->digest()};
}

Result<std::string> pull_from_archive(const ImageLocation& location, const std::string& config, LayerStore& layers,
                                      ImageStore& images, const Progress& progress) {
  if (config.empty()) {
    TRY_ASSIGN(Pulled pulled, pull(location, layers, images, progress));
    return std::move(pulled.image);
  }
  TRY_ASSIGN(const ImageConfig known, parse_image_config(config));
  const auto is_here = [&](const std::string& diff_id) { return layers.has(diff_id); };
  if (!std::ranges::all_of(known.rootfs.diff_ids, is_here)) {
    if (progress) progress("reading the image", 0, 0);
    TRY_ASSIGN(const auto proxy, ImageProxy::open(location));
    TRY(fetch_missing(*proxy, known, location.origin, layers, progress, nullptr));
  }
  return images.put(config);
}

}  // namespace sbx::images
