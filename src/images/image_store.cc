// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/image_store.h"

#include <algorithm>

#include "base/file.h"
#include "base/log.h"
#include "base/value.h"
#include "digest/sha256.h"

namespace sbx::images {
namespace {

constexpr std::string_view kSuffix = ".json";

// Names have no '%'.
std::string file_name_of(const std::string& name) {
  std::string file;
  for (const char c : name) file += c == '/' ? std::string("%2F") : std::string(1, c);
  return file;
}

}  // namespace

void describe(Members& members, Name& name) {
  members.required("name", name.name);
  members.required("image", name.image);
  members.optional("source", name.source);
  members.optional("added_at", name.added_at);
  members.check(is_digest(name.image), "\"image\" is no digest");
}

std::string ImageStore::image_file(const std::string& digest) const {
  return templates_ + "/images/" + hex_of(digest) + std::string(kSuffix);
}
std::string ImageStore::name_file(const std::string& name) const { return templates_ + "/names/" + file_name_of(name); }

Result<std::string> ImageStore::put(const std::string& config) {
  TRY(parse_image_config(config));
  std::string digest = "sha256:" + digest::sha256_of(config);
  if (exists(image_file(digest))) return digest;
  TRY(make_directories(templates_ + "/images"));
  TRY(write_file_atomically(image_file(digest), config));
  return digest;
}

Result<std::string> ImageStore::text(const std::string& digest) const {
  auto text = read_file(image_file(digest));
  if (!text) return fail(Code::kNotFound, "no image " + digest);
  if ("sha256:" + digest::sha256_of(*text) != digest)
    return fail(Code::kInternal, image_file(digest) + " has been changed: it is not " + digest,
                "rm " + image_file(digest));
  return text;
}

Result<ImageConfig> ImageStore::get(const std::string& digest) const {
  TRY_ASSIGN(const std::string config, text(digest));
  return parse_image_config(config);
}

std::vector<std::string> ImageStore::list() const {
  std::vector<std::string> found;
  for (const std::string& file : names_in(templates_ + "/images")) {
    if (!file.ends_with(kSuffix)) continue;
    std::string digest = "sha256:" + file.substr(0, file.size() - kSuffix.size());
    if (is_digest(digest)) found.push_back(std::move(digest));
  }
  std::ranges::sort(found);
  return found;
}

Result<> ImageStore::remove(const std::string& digest) { return remove_file(image_file(digest)); }

Result<> ImageStore::set_name(const Name& name) {
  TRY(make_directories(templates_ + "/names"));
  return write_file_atomically(name_file(name.name), text_of(name));
}

std::optional<Name> ImageStore::find_name(const std::string& name) const {
  const auto text = read_file(name_file(name), 64u << 10);
  if (!text) return std::nullopt;
  auto found = value_in<Name>(*text, "name", Unknown::kIgnored);
  if (!found || found->name != name) {
    log_warning("{} does not say what {} is", name_file(name), name);
    return std::nullopt;
  }
  return std::move(*found);
}

std::vector<Name> ImageStore::names() const {
  std::vector<Name> found;
  for (const std::string& file : names_in(templates_ + "/names")) {
    const auto text = read_file(templates_ + "/names/" + file, 64u << 10);
    if (!text) continue;
    if (auto name = value_in<Name>(*text, "name", Unknown::kIgnored); name && file_name_of(name->name) == file)
      found.push_back(std::move(*name));
  }
  std::ranges::sort(found, {}, &Name::name);
  return found;
}

Result<> ImageStore::remove_name(const std::string& name) { return remove_file(name_file(name)); }

}  // namespace sbx::images
