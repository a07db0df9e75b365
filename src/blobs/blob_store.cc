// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/file.h"
#include "base/lock.h"
#include "base/random.h"

namespace sbx::blobs {
namespace {

constexpr const char* kPart = "part-";
constexpr std::size_t kPartBytes = 8;            // of randomness in its name
constexpr std::uint64_t kWritingOut = 8u << 20;  // so that the last sync has little left to do
constexpr std::uint64_t kReserved = 64u << 20;   // at once, for what comes
constexpr std::uint64_t kLeftFree = 20;          // this part of the disk
constexpr std::chrono::seconds kLockLimit{10};   // it is held for a moment

struct StoredFile {
  std::string name;
  std::uint64_t size;
  timespec used;

  bool is_part() const { return name.starts_with(kPart); }
};

bool used_earlier(const StoredFile& a, const StoredFile& b) {
  return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
}

// Blobs and parts of blobs. What else is there is not ours.
Result<std::vector<StoredFile>> files_in(const Fd& directory) {
  TRY_ASSIGN(Fd again, open_beneath(directory, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again.get()), ::closedir);
  if (!entries) return fail_errno("list the blobs");
  (void)again.release();
  std::vector<StoredFile> files;
  while (const dirent* entry = ::readdir(entries.get())) {
    StoredFile file{entry->d_name, 0, {}};
    if (!file.is_part() && !is_file_name(file.name)) continue;
    struct stat info {};
    if (::fstatat(directory.get(), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    file.size = static_cast<std::uint64_t>(info.st_size);
    file.used = info.st_mtim;
    files.push_back(std::move(file));
  }
  return files;
}

Result<Fd> make_file(const Fd& directory, const std::string& name, int flags) {
  TRY_ASSIGN(Fd file, open_beneath(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | flags, 0600));
  struct stat place {};
  struct stat made {};
  if (::fstat(directory.get(), &place) != 0 || ::fstat(file.get(), &made) != 0) return fail_errno("look at " + name);
  if (made.st_uid != place.st_uid && ::fchown(file.get(), place.st_uid, place.st_gid) != 0)
    return fail_errno("hand over " + name);
  return file;
}

Result<> leave_free(const Fd& directory, std::uint64_t size) {
  struct statvfs disk {};
  if (::fstatvfs(directory.get(), &disk) != 0) return fail_errno("ask for the room on the disk");
  const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::uint64_t all = static_cast<std::uint64_t>(disk.f_blocks) * disk.f_frsize;
  return free >= size && free - size >= all / kLeftFree ? Result<>() : fail(Code::kTooLarge, "the disk is nearly full");
}

}  // namespace

Result<Fd> BlobStore::make_directory(const std::string& path, std::uint32_t owner) {
  TRY(make_directories(path, 0700));
  TRY_ASSIGN(Fd directory, open_path(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (owner != 0 && ::fchown(directory.get(), owner, owner) != 0) return fail_errno("hand over " + path);
  return directory;
}

Result<BlobStore> BlobStore::open(Fd directory, std::uint64_t limit) {
  BlobStore store(std::move(directory), limit);
  TRY_ASSIGN(const Fd held, store.lock());
  store.remove_abandoned();
  return store;
}

// A process that begins a part holds this from before it has a name until it is locked.
Result<Fd> BlobStore::lock() const {
  TRY_ASSIGN(Fd file, make_file(directory_, "lock", O_NONBLOCK));
  TRY_ASSIGN(const bool held, lock_file_until(file, "the blobs", steady_now() + kLockLimit));
  if (!held) return fail(Code::kTimeout, "the blobs are locked by another process");
  return file;
}

void BlobStore::remove_abandoned() const {
  const auto files = files_in(directory_);
  if (!files) return;
  for (const StoredFile& file : *files) {
    if (!file.is_part()) continue;
    const auto part = open_beneath(directory_, file.name, O_RDONLY | O_NOFOLLOW);
    const auto free = part ? try_lock_file(*part, file.name) : Result<bool>(false);
    if (free && *free) (void)::unlinkat(directory_.get(), file.name.c_str(), 0);
  }
}

std::optional<BlobStore::Found> BlobStore::find(const BlobId& id) const {
  auto file = open_beneath(directory_, file_name(id), O_RDONLY | O_NOFOLLOW);
  if (!file) return std::nullopt;
  struct stat info {};
  if (::fstat(file->get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  (void)::futimens(file->get(), nullptr);  // used now
  return Found{std::move(*file), static_cast<std::uint64_t>(info.st_size)};
}

// Parts have the size that is reserved for them, so what is on its way counts.
Result<> BlobStore::make_room(std::uint64_t size) const {
  TRY_ASSIGN(std::vector<StoredFile> files, files_in(directory_));
  std::uint64_t all = 0;
  for (const StoredFile& file : files) all += file.size;
  std::erase_if(files, std::mem_fn(&StoredFile::is_part));
  std::ranges::sort(files, used_earlier);
  for (const StoredFile& file : files) {
    if (all + size <= limit_) break;
    if (::unlinkat(directory_.get(), file.name.c_str(), 0) == 0) all -= file.size;
  }
  if (all + size > limit_) return fail(Code::kTooLarge, "the cache is full of what is being fetched");
  return leave_free(directory_, size);
}

Result<NewBlob> BlobStore::begin(const BlobId& id, std::uint64_t size) const {
  TRY_ASSIGN(const Fd held, lock());
  remove_abandoned();
  if (size > limit_) return fail(Code::kTooLarge, "the blob is larger than the cache");
  TRY(leave_free(directory_, size));
  std::string part = kPart + random_hex(kPartBytes);
  TRY_ASSIGN(Fd file, make_file(directory_, part, O_EXCL));
  TRY(lock_file(file, part));
  TRY_ASSIGN(Fd directory, duplicate(directory_));
  NewBlob blob(BlobStore(std::move(directory), limit_), std::move(part), std::move(file), id, size);
  TRY(blob.reserve(0));
  return blob;
}

NewBlob::NewBlob(BlobStore store, std::string part, Fd file, BlobId id, std::uint64_t size)
    : store_(std::move(store)), part_(std::move(part)), file_(std::move(file)), id_(std::move(id)), size_(size) {}

NewBlob::~NewBlob() {
  if (store_.directory_) (void)::unlinkat(store_.directory_.get(), part_.c_str(), 0);
}

Result<> NewBlob::reserve(std::uint64_t bytes) {
  const std::uint64_t wanted = std::min(size_, bytes + kReserved);
  TRY(store_.make_room(wanted - reserved_));
  if (::ftruncate(file_.get(), static_cast<off_t>(wanted)) != 0) return fail_errno("make room for a blob");
  reserved_ = wanted;
  return Ok{};
}

Result<> NewBlob::append(std::string_view bytes) {
  if (bytes.size() > size_ - written_) return fail(Code::kTooLarge, "the blob is larger than it was said to be");
  if (written_ + bytes.size() > reserved_) {
    TRY_ASSIGN(const Fd held, store_.lock());
    TRY(reserve(written_ + bytes.size()));
  }
  hash_.update(bytes);
  TRY(write_all(file_, bytes));
  written_ += bytes.size();
  start_writing_out();
  return Ok{};
}

void NewBlob::start_writing_out() {
  if (written_ - on_its_way_ < kWritingOut) return;
  (void)::sync_file_range(file_.get(), static_cast<off_t>(on_its_way_), static_cast<off_t>(written_ - on_its_way_),
                          SYNC_FILE_RANGE_WRITE);
  on_its_way_ = written_;
}

// On the disk before it has its name: a crash leaves no file whose name says more than its content.
Result<> NewBlob::finish() {
  if (written_ != size_) return fail(Code::kInvalid, "the blob ended early");
  if (hash_.finish() != id_.digest) return fail(Code::kInvalid, "the blob has another digest");
  if (::fsync(file_.get()) != 0) return fail_errno("write the blob to the disk");
  const Fd directory = std::move(store_.directory_);  // nothing to take away any more
  if (::renameat(directory.get(), part_.c_str(), directory.get(), file_name(id_).c_str()) != 0) {
    const Failure failure = fail_errno("keep the blob");
    (void)::unlinkat(directory.get(), part_.c_str(), 0);
    return failure;
  }
  (void)::fsync(directory.get());
  return Ok{};
}

}  // namespace sbx::blobs
