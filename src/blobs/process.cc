// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/process.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <unistd.h>

#include "blobs/blob_store.h"
#include "blobs/confine.h"
#include "blobs/service.h"
#include "gate/confine.h"
#include "gate/jail.h"

namespace sbx::blobs {
namespace {

// What needs a path comes before the jail, and what needs a system call that the filter forbids before the filter.
Result<> serve(const Options& options, Fd& line) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, line.get()});
  TRY(BlobStore::make_directory(options.directory, options.id));
  // The system's configuration could load code into us, and the first hash loads what it needs.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  (void)digest::sha256_of("");
  TRY_WITHIN("jail the cache of blobs", gate::enter_bare_jail(options.directory, options.id != 0));
  TRY_WITHIN("confine the cache of blobs", gate::give_up_privileges(options.id, options.limit));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_WITHIN("confine the cache of blobs", filter_cache());
  TRY_ASSIGN(Fd directory, open_path(gate::kJailedDirectory, O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(BlobStore store, BlobStore::open(std::move(directory), options.limit));
  const Service service(*loop, std::move(line), std::move(store));
  return loop->run();
}

}  // namespace

Result<gate::HelperProcess> start(const Options& options) {
  return gate::start_helper({"sandbox-blobs", "the cache of blobs"}, [&](Fd& line) { return serve(options, line); });
}

}  // namespace sbx::blobs
