// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/execs.h"

#include <shared_mutex>

#include "base/fault.h"

namespace sbx::sandboxes {
namespace {

// How long a shim that refuses connections may still be seen as a process.
constexpr std::chrono::seconds kDyingShim{2};
// How long the watcher, which also reads the shim's last words, may take to notice that it is gone.
constexpr std::chrono::seconds kWatcher{2};

Result<exchange::ExecStream> stream_on(Fd connection) {
  TRY_ASSIGN(auto answered, exchange::Exchange::answer_on(std::move(connection)));
  if (!answered) return fail(Code::kUnavailable, "the sandbox ended before the command ran");
  return exchange::ExecStream(std::move(*answered).upgrade());
}

}  // namespace

// Twice at most: a shim that has died a moment ago is noticed only when it is spoken to. If it had started the exec,
// the next one knows its key.
Result<> Execs::on_shim(const std::string& name, const std::function<Result<>(const ShimSocket&)>& use) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  for (bool again = true;; again = false) {
    TRY(lifecycle_.ensure_running(*sandbox));
    TRY(fault_step("exec.checked"));
    const auto running = sandbox->running();
    if (!running && again) continue;
    auto used = [&] {
      const std::shared_lock no_copy(sandbox->copying());
      return use(sandbox->directory().shim());
    }();
    if (used || used.error().code() != Code::kUnavailable || !again || !running) return used;
    if (!running->shim->wait_for_end(kDyingShim)) return used;
    if (!sandbox->await_end_of_run(running->shim, kWatcher)) runs_.end(name, running->shim);
  }
}

Result<> Execs::exec(const std::string& name, wire::ExecRequest request, const Fd& client,
                     const wire::RequestKey& key) {
  return on_shim(name, [&](const ShimSocket& shim) -> Result<> {
    TRY_ASSIGN(const auto sandbox, registry_.find(name));
    if (request.directory.empty()) request.directory = sandbox->record().directory;
    TRY(shim.exec(key, request, client));
    (void)fault_here("exec.handed");  // from here on an error could not be told any more
    return Ok{};
  });
}

Result<exchange::ExecStream> Execs::open(const std::string& name, wire::ExecRequest request) {
  TRY_ASSIGN(SocketPair pair, make_socket_pair());
  TRY(exec(name, std::move(request), pair.theirs));
  pair.theirs.reset();
  return stream_on(std::move(pair.ours));
}

Result<exchange::ExecStream> Execs::open_held(const Sandbox& sandbox, const wire::ExecRequest& request) const {
  if (!sandbox.running()) return fail(Code::kUnavailable, "the sandbox has ended");
  TRY_ASSIGN(SocketPair pair, make_socket_pair());
  TRY(sandbox.directory().shim().exec(wire::RequestKey::random(), request, pair.theirs));
  pair.theirs.reset();
  return stream_on(std::move(pair.ours));
}

Result<wire::DetachedStart> Execs::exec_detached(const std::string& name, wire::ExecRequest request,
                                                 const wire::RequestKey& key) {
  wire::DetachedStart started;
  TRY(on_shim(name, [&](const ShimSocket& shim) -> Result<> {
    TRY_ASSIGN(const auto sandbox, registry_.find(name));
    if (request.directory.empty()) request.directory = sandbox->record().directory;
    TRY_ASSIGN(started, shim.exec_detached(key, request));
    return fault_step("exec.handed");
  }));
  return started;
}

}  // namespace sbx::sandboxes
