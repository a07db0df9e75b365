// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "blobs/blob_id.h"
#include "digest/sha256.h"

namespace sbx::blobs {

class NewBlob;

// A directory of blobs, which several processes share, each with an object of its own. A file that has a blob's name is
// whole, has its digest, and is on the disk. All files, those that are being written included, are together never
// larger than the limit: what was used longest ago gives way to what comes.
class BlobStore {
 public:
  // The directory, made if it is not there. `owner`: its user and group id, if it is not 0.
  static Result<Fd> make_directory(const std::string& path, std::uint32_t owner);

  // Takes away what a process that died has left half written. The files belong to the directory's owner, also those
  // that root writes.
  static Result<BlobStore> open(Fd directory, std::uint64_t limit);

  struct Found {
    Fd file;  // for reading
    std::uint64_t size;
  };
  std::optional<Found> find(const BlobId& id) const;

  // A blob of that size. Refused (kTooLarge) where it would take more than there is: more than the limit, or the last
  // twentieth of the disk. Others give way as its bytes come: a size alone, which a server may invent, takes little.
  Result<NewBlob> begin(const BlobId& id, std::uint64_t size) const;

 private:
  friend class NewBlob;
  BlobStore(Fd directory, std::uint64_t limit) : directory_(std::move(directory)), limit_(limit) {}
  Result<Fd> lock() const;
  void remove_abandoned() const;
  Result<> make_room(std::uint64_t size) const;

  Fd directory_;
  std::uint64_t limit_;
};

// One that is being written. Unless finish() has kept it, it is gone with this object, or with the process.
//   TRY_ASSIGN(NewBlob blob, store.begin(id, size));
//   ... TRY(blob.append(bytes)) ...
//   TRY(blob.finish());
class NewBlob {
 public:
  NewBlob(BlobStore store, std::string part, Fd file, BlobId id, std::uint64_t size);
  NewBlob(NewBlob&&) = default;
  NewBlob& operator=(NewBlob&&) = delete;
  ~NewBlob();

  Result<> append(std::string_view bytes);  // kTooLarge beyond its size
  // Keeps it, if all of it is there and it has its digest: kInvalid if not.
  Result<> finish();

 private:
  friend class BlobStore;
  Result<> reserve(std::uint64_t bytes);  // for what has come so far; the store is locked
  void start_writing_out();

  BlobStore store_;
  std::string part_;  // its name until it is whole
  Fd file_;           // locked, so that others see that it is not abandoned
  BlobId id_;
  std::uint64_t size_;
  std::uint64_t reserved_ = 0;  // the size of its file
  std::uint64_t written_ = 0;
  std::uint64_t on_its_way_ = 0;  // to the disk, of what is written
  digest::Sha256 hash_;
};

}  // namespace sbx::blobs
