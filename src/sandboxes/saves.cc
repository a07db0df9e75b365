// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/saves.h"

#include <future>
#include <mutex>
#include <shared_mutex>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "sandboxes/guest_copy.h"
#include "sandboxes/mounts.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kGuestsPart{60};  // what a guest may take to hold its processes, or to let them go

std::vector<layers::OwnerRange> ranges_of(const std::vector<idmap::Range>& ranges) {
  std::vector<layers::OwnerRange> owners;
  for (const idmap::Range& range : ranges) owners.push_back({range.inside, range.outside, range.count});
  return owners;
}

layers::PackJob job_for(const store::Record& record, const backends::HostDirectory& directory) {
  layers::PackJob job;
  job.directory = directory.path;
  job.uids = ranges_of(directory.ids.uids);
  job.gids = ranges_of(directory.ids.gids);
  for (const wire::Mount& mount : all_mounts(record.workspaces, record.mounts))
    job.mount_points.push_back(mount.target);
  return job;
}

}  // namespace

Result<images::Templates*> Saves::library() const {
  if (parts_.template_store == nullptr) return fail(Code::kInternal, "there is no place for templates");
  return parts_.template_store;
}

Result<std::optional<layers::Unpacked>> Saves::layer_of(const std::string& name, const images::Progress& progress) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  auto layer = layer_held(*sandbox, progress);
  sandbox->set_copy({});
  if (layer) return layer;
  Error error = std::move(layer).error().within("save " + name);
  // The request was well meant; it is what the sandbox has made that is not.
  return fail(error.code() == Code::kInvalid ? std::move(error).as(Code::kForbidden) : std::move(error));
}

Result<images::Template> Saves::save(const std::string& name, const std::string& tag,
                                     const images::Progress& progress) {
  TRY_ASSIGN(images::Templates * library, Saves::library());
  TRY(images::checked_tag(tag));
  const auto nothing_is_removed = library->hold();
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  TRY_ASSIGN(const Layer layer, layer_of(name, progress));
  TRY(fault_step("save.layer"));
  const images::HistoryStep step{rfc3339(parts_.clock()), "sandbox save " + name, "", false};
  auto saved = library->extend(sandbox->record().base.digest, layer, step, tag, "sandbox " + name);
  if (!saved) return fail(std::move(saved).error().within("save " + name));
  return saved;
}

Result<images::Export> Saves::archive(const std::string& template_name) const {
  TRY_ASSIGN(images::Templates * library, Saves::library());
  return library->archive(template_name);
}

Result<Saves::Layer> Saves::layer_held(Sandbox& sandbox, const images::Progress& progress) {
  TRY_ASSIGN(const auto backend, backends_.any(sandbox.record().backend));
  const layers::BytesRead bytes = [&progress](std::int64_t done) {
    if (progress) progress("saving", done, 0);
  };
  if (const auto* host = dynamic_cast<const backends::HostChanges*>(backend.get()))
    return layer_by_host(sandbox, *host, bytes);
  return layer_by_guest(sandbox, bytes);
}

Result<exchange::ExecStream> Saves::builtin(Sandbox& sandbox, wire::Builtin builtin) const {
  wire::ExecRequest request;
  request.builtin = builtin;
  request.path = "/";
  request.directory = "/";
  request.user = "0:0";
  request.privileged = true;
  request.interactive = true;  // the end of its input is when it ends
  TRY_ASSIGN(exchange::ExecStream stream, execs_.open_held(sandbox, request));
  // A hostile guest must not keep a stop or rm waiting for this operation.
  TRY_ASSIGN(Fd handle, stream.handle());
  sandbox.set_copy(std::move(handle));
  stream.give_up_at(steady_now() + kGuestsPart);
  return stream;
}

Result<exchange::ExecStream> Saves::hold(Sandbox& sandbox) const {
  TRY_ASSIGN(exchange::ExecStream stream, builtin(sandbox, wire::Builtin::kHold));
  TRY_ASSIGN(const std::string_view said, stream.read());
  if (said == wire::kHeld) return stream;
  TRY_WITHIN("stop its processes for the copy", stream.finish());
  return fail(Code::kInternal, "its processes could not be stopped for the copy");
}

Result<Saves::Layer> Saves::layer_by_host(Sandbox& sandbox, const backends::HostChanges& host,
                                          const layers::BytesRead& progress) {
  TRY_ASSIGN(images::Templates * library, Saves::library());
  const std::unique_lock no_execs(sandbox.copying());
  const auto running = sandbox.running();
  std::optional<exchange::ExecStream> held;
  if (running) {
    TRY_ASSIGN(held, hold(sandbox));
  }
  TRY(fault_step("save.held"));
  const store::Record record = sandbox.record();
  TRY_ASSIGN(const backends::HostDirectory directory,
             host.changes_of(machines_.spec_of(record), running ? std::optional(running->shim->pid) : std::nullopt));
  TRY_ASSIGN(images::Packer packer, library->layers().pack(job_for(record, directory), directory.before_exec));
  TRY_ASSIGN(const Layer layer, library->layers().add_changes(
                                    packer.take_output(), [&packer] { return packer.finish(); }, progress));
  if (!held) return layer;
  held->give_up_at(steady_now() + kGuestsPart);
  TRY(held->end_input());
  TRY_WITHIN("let its processes go on", held->finish());
  return layer;
}

Result<Saves::Layer> Saves::layer_by_guest(Sandbox& sandbox, const layers::BytesRead& progress) {
  const bool was_stopped = !sandbox.running();
  if (was_stopped) TRY(lifecycle_.start_held(sandbox));
  const auto copied = [&]() -> Result<Layer> {
    const std::unique_lock no_execs(sandbox.copying());
    TRY_ASSIGN(exchange::ExecStream stream, builtin(sandbox, wire::Builtin::kChanges));
    return layer_from(std::move(stream), progress);
  }();
  if (was_stopped) {
    if (const auto stopped = lifecycle_.stop_held(sandbox, kDefaultGrace); !stopped)
      log_error("stop {} after its copy: {}", sandbox.name(), stopped.error().what());
  }
  return copied;
}

Result<Saves::Layer> Saves::layer_from(exchange::ExecStream stream, const layers::BytesRead& progress) {
  TRY_ASSIGN(images::Templates * library, Saves::library());
  TRY_ASSIGN(Pipe pipe, make_pipe());
  auto relayed = std::async(std::launch::async, [&stream, to = std::move(pipe.write)]() mutable {
    return copy_from_guest(stream, std::move(to));
  });
  return library->layers().add_changes(
      std::move(pipe.read), [&relayed] { return relayed.get(); }, progress);
}

}  // namespace sbx::sandboxes
