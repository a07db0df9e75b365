// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <string_view>

#include "blobs/blob_store.h"
#include "blobs/incoming.h"
#include "blobs/message.h"
#include "gate/line.h"
#include "loop/lifeline.h"
#include "loop/loop.h"

namespace sbx::blobs {

// Answers one shim: what is there, and takes what is not. Its store is shared with those of other sandboxes.
class Service {
 public:
  Service(loop::Loop& loop, Fd shim, BlobStore store);

 private:
  void asked(std::string_view bytes);
  Fd take_in(const BlobId& id);

  loop::Loop& loop_;
  BlobStore store_;
  std::list<std::unique_ptr<Incoming>> incoming_;
  loop::Lifeline lifeline_;
  gate::Line shim_;
};

}  // namespace sbx::blobs
