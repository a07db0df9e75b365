// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/format.h"
#include "base/text.h"
#include "layers/entry_path.h"

namespace sbx::layers {
namespace {

constexpr std::int64_t kGuestIds = 65536;
constexpr int kDiskFlags = ARCHIVE_EXTRACT_OWNER | ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_XATTR |
                           ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                           ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS;

struct FreeReader {
  void operator()(struct archive* reader) const { ::archive_read_free(reader); }
};
struct FreeWriter {
  void operator()(struct archive* writer) const { ::archive_write_free(writer); }
};

bool is_whiteout(const struct stat& info) { return S_ISCHR(info.st_mode) && info.st_rdev == makedev(0, 0); }

std::optional<struct stat> what_is_at(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return std::nullopt;
  return info;
}

// Attributes that mean something to the guest. Those of overlayfs are ours to set, and trusted ones are the host's.
bool is_kept(std::string_view attribute) {
  return attribute == "security.capability" ||
         (attribute.starts_with("user.") && !attribute.starts_with("user.overlay."));
}

void keep_attributes(struct archive_entry* entry) {
  struct Attribute {
    std::string name;
    std::string value;
  };
  std::vector<Attribute> kept;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  ::archive_entry_xattr_reset(entry);
  while (::archive_entry_xattr_next(entry, &name, &value, &size) == ARCHIVE_OK)
    if (is_kept(name)) kept.push_back({name, std::string(static_cast<const char*>(value), size)});
  ::archive_entry_xattr_clear(entry);
  for (const Attribute& attribute : kept)
    ::archive_entry_xattr_add_entry(entry, attribute.name.c_str(), attribute.value.data(), attribute.value.size());
}

class Unpacking {
 public:
  Unpacking(TarStream& stream, const char* opaque, const UnpackLimits& limits, const BytesRead& progress)
      : stream_(stream),
        opaque_(opaque),
        limits_(limits),
        progress_(progress),
        reader_(::archive_read_new()),
        disk_(::archive_write_disk_new()) {}

  Result<Unpacked> run() {
    TRY(open());
    for (;;) {
      struct archive_entry* entry = nullptr;
      const int status = ::archive_read_next_header(reader_.get(), &entry);
      if (failed_) return fail(std::move(*failed_));
      if (status == ARCHIVE_EOF) break;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return archive_failure(reader_.get(), "read the layer");
      TRY(take(entry));
    }
    if (::archive_write_close(disk_.get()) != ARCHIVE_OK) return archive_failure(disk_.get(), "unpack the layer");
    TRY(mark_opaque());
    TRY(drain());
    unpacked_.bytes = stream_.bytes();
    unpacked_.diff_id = stream_.diff_id();
    return unpacked_;
  }

 private:
  Result<> open() {
    struct archive* const reader = reader_.get();
    ::archive_read_support_format_tar(reader);
    ::archive_read_support_format_empty(reader);
    // Names are bytes. Without this those that are no UTF-8 would be lost.
    ::archive_read_set_options(reader, "hdrcharset=BINARY");
    ::archive_read_set_callback_data(reader, this);
    ::archive_read_set_read_callback(reader, &Unpacking::next_bytes);
    const int opened = ::archive_read_open1(reader);
    if (failed_) return fail(std::move(*failed_));
    if (opened != ARCHIVE_OK) return archive_failure(reader, "read the layer");
    ::archive_write_disk_set_options(disk_.get(), kDiskFlags);
    return Ok{};
  }

  static la_ssize_t next_bytes(struct archive* reader, void* self, const void** bytes) {
    auto& unpacking = *static_cast<Unpacking*>(self);
    auto part = unpacking.read();
    if (!part) {
      unpacking.failed_ = std::move(part).error();
      ::archive_set_error(reader, EIO, "the layer cannot be read");
      return ARCHIVE_FATAL;
    }
    if (unpacking.progress_) unpacking.progress_(unpacking.stream_.blob_bytes());
    *bytes = part->data();
    return static_cast<la_ssize_t>(part->size());
  }

  Result<std::span<const char>> read() {
    TRY_ASSIGN(const auto part, stream_.read());
    if (stream_.bytes() > limits_.archive)
      return fail(Code::kInvalid, sbx::format("the layer is larger than {} bytes, uncompressed", limits_.archive));
    return part;
  }

  Result<> drain() {
    for (;;) {
      TRY_ASSIGN(const auto part, read());
      if (part.empty()) return Ok{};
    }
  }

  Result<> take(struct archive_entry* entry) {
    if (++unpacked_.entries > limits_.entries)
      return fail(Code::kInvalid, sbx::format("the layer has more than {} entries", limits_.entries));
    const char* name = ::archive_entry_pathname(entry);
    if (name == nullptr) return fail(Code::kInvalid, "the layer has an entry without a name");
    TRY_ASSIGN(const EntryPath found, entry_path(name));
    switch (found.whiteout) {
      case Whiteout::kMetadata:
        return Ok{};
      case Whiteout::kOpaque:
        if (found.path.empty())
          return fail(Code::kUnsupported, "the layer hides all layers below it, and is no layer on them then");
        opaque_directories_.insert(found.path);
        return make_directories(found.path);
      case Whiteout::kRemoved:
        return remove_below(found.path);
      case Whiteout::kNone:
        break;
    }
    if (found.path.empty()) return Ok{};  // the root: the sandbox has its own
    return place(entry, found.path);
  }

  // Makes what is missing of a path of directories, itself included, and refuses one that leads through something else:
  // a link in it could lead anywhere. libarchive would make them with a mode of its own.
  Result<> make_directories(const std::string& path) {
    if (path.empty() || directories_.contains(path)) return Ok{};
    TRY(make_directories(parent_of(path)));
    auto info = what_is_at(path);
    if (info && is_whiteout(*info)) {
      TRY(replace_whiteout(path, true));
      info.reset();
    }
    if (!info && ::mkdir(path.c_str(), 0755) != 0) return fail_errno("unpack " + printable(path));
    if (info && !S_ISDIR(info->st_mode))
      return fail(Code::kInvalid, "the layer has something below \"" + printable(path) + "\", which is no directory");
    directories_.insert(path);
    return Ok{};
  }

  // What of this layer has that name stays: a whiteout is about the layers below.
  Result<> remove_below(const std::string& path) {
    TRY(make_directories(parent_of(path)));
    if (const auto info = what_is_at(path)) {
      if (S_ISDIR(info->st_mode)) opaque_directories_.insert(path);
      return Ok{};
    }
    if (::mknod(path.c_str(), S_IFCHR, makedev(0, 0)) != 0)
      return fail_errno("unpack a whiteout of " + printable(path));
    return Ok{};
  }

  // A directory in the place of what is gone below shows nothing of it.
  Result<> replace_whiteout(const std::string& path, bool by_directory) {
    if (::unlink(path.c_str()) != 0) return fail_errno("unpack " + printable(path));
    if (by_directory) opaque_directories_.insert(path);
    return Ok{};
  }

  Result<> place(struct archive_entry* entry, const std::string& path) {
    const auto type = ::archive_entry_filetype(entry);
    if (type == AE_IFCHR || type == AE_IFBLK) {
      ++unpacked_.left_out;
      return Ok{};
    }
    TRY(make_directories(parent_of(path)));
    if (const auto info = what_is_at(path)) {
      if (is_whiteout(*info))
        TRY(replace_whiteout(path, type == AE_IFDIR));
      else if (type != AE_IFDIR || !S_ISDIR(info->st_mode) || ::archive_entry_hardlink(entry) != nullptr)
        return fail(Code::kInvalid, "the layer has \"" + printable(path) + "\" twice");
    }
    TRY(check_owner(entry, path));
    TRY(aim_hard_link(entry));
    keep_attributes(entry);
    ::archive_entry_copy_pathname(entry, path.c_str());
    TRY(count(entry));
    if (::archive_write_header(disk_.get(), entry) < ARCHIVE_WARN)
      return archive_failure(disk_.get(), "unpack " + printable(path));
    TRY(copy_data(path));
    if (::archive_write_finish_entry(disk_.get()) != ARCHIVE_OK)
      return archive_failure(disk_.get(), "unpack " + printable(path));
    if (type == AE_IFDIR) directories_.insert(path);
    return Ok{};
  }

  static Result<> check_owner(struct archive_entry* entry, const std::string& path) {
    const auto is_guest_id = [](la_int64_t id) { return id >= 0 && id < kGuestIds; };
    if (is_guest_id(::archive_entry_uid(entry)) && is_guest_id(::archive_entry_gid(entry))) return Ok{};
    return fail(Code::kInvalid,
                sbx::format("the layer's \"{}\" belongs to {}:{}, and a guest has ids up to {}", printable(path),
                            ::archive_entry_uid(entry), ::archive_entry_gid(entry), kGuestIds - 1));
  }

  // To a file of this layer: others are not here to link to.
  Result<> aim_hard_link(struct archive_entry* entry) const {
    const char* link = ::archive_entry_hardlink(entry);
    if (link == nullptr) return Ok{};
    TRY_ASSIGN(const EntryPath target, entry_path(link));
    const std::string parent = parent_of(target.path);
    const bool reached = parent.empty() || directories_.contains(parent);  // through no link
    const auto info = what_is_at(target.path);
    if (target.whiteout != Whiteout::kNone || !reached || !info || S_ISDIR(info->st_mode) || is_whiteout(*info))
      return fail(Code::kInvalid, "the layer has a hard link to \"" + printable(link) + "\", which is no file of it");
    ::archive_entry_copy_hardlink(entry, target.path.c_str());
    return Ok{};
  }

  Result<> count(struct archive_entry* entry) {
    const la_int64_t size = ::archive_entry_size(entry);
    if (size < 0 || size > limits_.bytes - files_bytes_)
      return fail(Code::kInvalid, sbx::format("the layer is larger than {} bytes, unpacked", limits_.bytes));
    files_bytes_ += size;
    return Ok{};
  }

  Result<> copy_data(const std::string& path) {
    for (;;) {
      const void* bytes = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int status = ::archive_read_data_block(reader_.get(), &bytes, &size, &offset);
      if (failed_) return fail(std::move(*failed_));
      if (status == ARCHIVE_EOF) return Ok{};
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return archive_failure(reader_.get(), "read the layer");
      if (::archive_write_data_block(disk_.get(), bytes, size, offset) != ARCHIVE_OK)
        return archive_failure(disk_.get(), "unpack " + printable(path));
    }
  }

  Result<> mark_opaque() {
    for (const std::string& directory : opaque_directories_) {
      if (!directories_.contains(directory)) continue;  // what was gone below and is a file here
      if (::lsetxattr(directory.c_str(), opaque_, "y", 1, 0) != 0)
        return fail_errno("make " + printable(directory) + " opaque");
    }
    return Ok{};
  }

  TarStream& stream_;
  const char* opaque_;
  const UnpackLimits& limits_;
  const BytesRead& progress_;
  std::unique_ptr<struct archive, FreeReader> reader_;
  std::unique_ptr<struct archive, FreeWriter> disk_;
  std::optional<Error> failed_;                  // of the stream, while libarchive was reading from it
  std::unordered_set<std::string> directories_;  // of this layer, reached through directories only
  std::unordered_set<std::string> opaque_directories_;
  std::int64_t files_bytes_ = 0;
  Unpacked unpacked_;
};

}  // namespace

void describe(Members& members, Unpacked& unpacked) {
  members.required("diff_id", unpacked.diff_id);
  members.required("bytes", unpacked.bytes);
  members.required("entries", unpacked.entries);
  members.required("left_out", unpacked.left_out);
}

Result<Unpacked> unpack(TarStream& stream, const char* opaque, const UnpackLimits& limits, const BytesRead& progress) {
  return Unpacking(stream, opaque, limits, progress).run();
}

}  // namespace sbx::layers
