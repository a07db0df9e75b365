// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/execs.h"

#include <shared_mutex>

#include "base/clock.h"
#include "base/fault.h"
#include "base/format.h"
#include "base/log.h"

namespace sbx::sandboxes {
namespace {

// How long a shim that refuses connections may still be seen as a process.
constexpr std::chrono::seconds kDyingShim{2};
// How long the watcher, which also reads the shim's last words, may take to notice that it is gone.
constexpr std::chrono::seconds kWatcher{2};
constexpr std::chrono::seconds kPlacing{10};

// A file of the user's own, from a login in the sandbox, is left.
constexpr const char* kPlaceFile =
    "cd || exit; if [ -e \"$1\" ] && ! grep -qF \"$2\" \"$1\"; then exit 0; fi; umask 077; "
    "mkdir -p \"${1%/*}\" && cat >\"$1.new\" && mv \"$1.new\" \"$1\"";

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

// With what the sandbox has for every program.
void Execs::complete(const Sandbox& sandbox, wire::ExecRequest& request) {
  if (request.directory.empty()) request.directory = sandbox.record().directory;
  if (request.builtin != wire::Builtin::kNone) return;
  for (const auto& file : credentials_.add_placeholders(sandbox, request.environment))
    if (const auto placed = place(sandbox, file); !placed)
      log_warning("{} of sandbox {} is not written: {}", file.path, sandbox.name(), placed.error().what());
}

// By a program of the guest's own, as the agent: what it leads to is the agent's.
Result<> Execs::place(const Sandbox& sandbox, const PreparedCredentials::File& file) const {
  wire::ExecRequest request;
  request.command = {"sh", "-c", kPlaceFile, "sh", file.path, file.mark};
  request.interactive = true;
  request.directory = "/";
  TRY_ASSIGN(exchange::ExecStream stream, open_held(sandbox, request));
  stream.give_up_at(steady_now() + kPlacing);
  TRY(stream.write(file.content));
  TRY(stream.end_input());
  return stream.finish();
}

Result<> Execs::exec(const std::string& name, wire::ExecRequest request, const Fd& client,
                     const wire::RequestKey& key) {
  return on_shim(name, [&](const ShimSocket& shim) -> Result<> {
    TRY_ASSIGN(const auto sandbox, registry_.find(name));
    complete(*sandbox, request);
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
    complete(*sandbox, request);
    TRY_ASSIGN(started, shim.exec_detached(key, request));
    return fault_step("exec.handed");
  }));
  return started;
}

// To a shim that may be too old for it.
Result<> Execs::hand_over(const std::string& name, std::string_view what,
                          const std::function<Result<>(const ShimSocket&)>& use) {
  return on_shim(name, [&](const ShimSocket& shim) -> Result<> {
    auto handed = use(shim);
    if (!handed && handed.error().code() == Code::kUnsupported)
      return fail(
          Code::kUnsupported,
          sbx::format("sandbox {} was started by an older version of sandboxd: restart it to use {}", name, what));
    return handed;
  });
}

Result<> Execs::pipe(const std::string& name, wire::ExecRequest request, const Fd& client) {
  return hand_over(name, "it as an MCP server", [&](const ShimSocket& shim) -> Result<> {
    TRY_ASSIGN(const auto sandbox, registry_.find(name));
    complete(*sandbox, request);
    return shim.pipe(request, client);
  });
}

Result<> Execs::connect_to_docker(const std::string& name, const Fd& client) {
  return hand_over(name, "docker.sock", [&](const ShimSocket& shim) { return shim.connect_to_docker(client); });
}

}  // namespace sbx::sandboxes
