// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/file_attributes.h"

#include <linux/capability.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/text.h"

namespace sbx::archive {
namespace {

constexpr std::size_t kLargestList = 64u << 10;   // XATTR_LIST_MAX
constexpr std::size_t kLargestValue = 64u << 10;  // XATTR_SIZE_MAX
constexpr std::size_t kMostBytes = 512u << 10;    // what readers of archives take

constexpr std::string_view kCapability = "security.capability";

// The part after "trusted.overlay." or "user.overlay.".
std::optional<std::string_view> of_overlay(std::string_view name) {
  for (const std::string_view prefix : {std::string_view("trusted.overlay."), std::string_view("user.overlay.")})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return std::nullopt;
}

// Most files have none.
Result<std::vector<std::string>> names_of(const Fd& fd) {
  const ssize_t size = ::flistxattr(fd.get(), nullptr, 0);
  if (size == 0 || (size < 0 && errno == ENOTSUP)) return std::vector<std::string>();
  std::string list(kLargestList, '\0');
  const ssize_t length = ::flistxattr(fd.get(), list.data(), list.size());
  if (length < 0) return fail_errno("list its attributes");
  list.resize(static_cast<std::size_t>(length));
  std::vector<std::string> names;
  for (const std::string& name : split(list, '\0'))
    if (!name.empty()) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

Result<std::string> value_of(const Fd& fd, const std::string& name) {
  std::string value(kLargestValue, '\0');
  const ssize_t length = ::fgetxattr(fd.get(), name.c_str(), value.data(), value.size());
  if (length < 0) return fail_errno("read its attribute " + printable(name));
  value.resize(static_cast<std::size_t>(length));
  return value;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Those of a guest in a user namespace say on the host's disk whose root they are of. In a layer they are of the root
// of whatever it is unpacked for.
std::optional<std::string> capability_in_layer(std::string value, const IdOf& uid) {
  if (value.size() < 4) return std::nullopt;
  const std::uint32_t magic = little_endian(value);
  if ((magic & VFS_CAP_REVISION_MASK) == VFS_CAP_REVISION_2 && value.size() == XATTR_CAPS_SZ_2) return value;
  if ((magic & VFS_CAP_REVISION_MASK) != VFS_CAP_REVISION_3 || value.size() != XATTR_CAPS_SZ_3) return std::nullopt;
  if (uid(little_endian(std::string_view(value).substr(XATTR_CAPS_SZ_2))) != 0u) return std::nullopt;
  value.resize(XATTR_CAPS_SZ_2);
  value[3] = static_cast<char>(VFS_CAP_REVISION_2 >> 24);
  return value;
}

Result<> add(const Fd& fd, const std::string& name, const IdOf& uid, FileAttributes& into) {
  const auto overlay = of_overlay(name);
  const bool kept = name == kCapability || (name.starts_with("user.") && !overlay);
  if (!kept && overlay != "opaque" && overlay != "redirect" && overlay != "metacopy") return Ok{};
  if (overlay == "redirect" || overlay == "metacopy")
    return fail(Code::kUnsupported, "it stands for a file of a layer below (overlayfs with redirect_dir or metacopy)");
  TRY_ASSIGN(std::string value, value_of(fd, name));
  if (overlay) {
    into.opaque = into.opaque || value == "y";
  } else if (name == kInitMark) {
    into.init_mark = std::move(value);
  } else if (name != kCapability) {
    into.kept.push_back({name, std::move(value)});
  } else if (auto capability = capability_in_layer(std::move(value), uid)) {
    into.kept.push_back({name, std::move(*capability)});
  }
  return Ok{};
}

}  // namespace

Result<FileAttributes> file_attributes(const Fd& fd, const IdOf& uid) {
  FileAttributes attributes;
  TRY_ASSIGN(const std::vector<std::string> names, names_of(fd));
  for (const std::string& name : names) TRY(add(fd, name, uid, attributes));
  std::size_t bytes = 0;
  for (const Attribute& attribute : attributes.kept) bytes += attribute.name.size() + attribute.value.size();
  if (bytes > kMostBytes) return fail(Code::kTooLarge, "it has more attributes than a layer holds");
  return attributes;
}

}  // namespace sbx::archive
