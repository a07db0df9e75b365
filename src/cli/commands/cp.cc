// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "archive/pack.h"
#include "archive/unpack.h"
#include "base/found_path.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/client/sandbox_files.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/words/copy_plan.h"

namespace sbx::cli::verbs {
namespace {

void warn(std::string_view line) { note("warning: " + printable(line)); }

Found shape_of(const FoundPath& path) { return {static_cast<bool>(path.itself()), path.is_directory}; }
Found shape_of(const FileInfo& info) { return {info.exists, info.is_directory()}; }

// A path of the host's to copy from. What may be planted in it is found out first: see found_path.h.
Result<FoundPath> find_source(const Client& client, const std::string& path, bool follow) {
  TRY_ASSIGN(const SharedDirectories shared, shared_directories(client));
  auto found = find_path(path, follow ? LastLink::kFollowed : LastLink::kKept, shared);
  if (found && !found->directory) return fail(Code::kInvalid, path + ": it has no name to copy it by");
  return found;
}

// A path of the host's to copy to.
struct Destination {
  FoundPath place;  // the directory to copy into, or the name to make
  Found found;      // what is there, behind a link of the user's too
};

Result<Destination> find_destination(const Client& client, const std::string& path) {
  TRY_ASSIGN(const SharedDirectories shared, shared_directories(client));
  auto target = find_path(path, LastLink::kFollowed, shared);
  if (target && target->is_directory) return Destination{std::move(*target), {true, true}};
  if (!target && target.error().code() != Code::kNotFound) return fail(std::move(target).error());
  // What is no directory is replaced by its name: a link, and not what it leads to.
  TRY_ASSIGN(FoundPath place, find_path(path, LastLink::kKept, shared));
  if (place.is_directory || !place.directory) return fail(Code::kConflict, path + ": it changed meanwhile");
  return Destination{std::move(place), target ? shape_of(*target) : Found{}};
}

Result<> copy_in(const Context& context, const Client& client, const SandboxFiles& remote, const std::string& source,
                 const std::string& destination, bool follow) {
  TRY_ASSIGN(const FileInfo there, remote.look(destination, true));
  const Found target = shape_of(there);
  if (source == "-") {
    if (!target.is_directory) return fail(Code::kInvalid, destination + ": must be a directory in the sandbox");
    return remote.receive(destination, [&](const archive::Sink& sink) -> Result<> {
      std::string buffer(256u << 10, '\0');
      const archive::Source in = archive::source_of(context.streams.in);
      for (;;) {
        TRY_ASSIGN(const std::size_t n, in(buffer));
        if (n == 0) return Ok{};
        TRY(sink(std::string_view(buffer).substr(0, n)));
      }
    });
  }
  TRY_ASSIGN(const FoundPath local, find_source(client, source, follow));
  // ".." has no name of its own.
  std::string named = source;
  if (base_name(source) == "..") {
    TRY_ASSIGN(named, canonical_path(local));
  }
  TRY_ASSIGN(const Placement placement, place(named, shape_of(local), destination, target));
  return remote.receive(placement.directory, [&](const archive::Sink& sink) {
    return archive::pack(local.directory, local.name, sink, {.as = placement.name, .warn = warn});
  });
}

Result<> copy_out(const Context& context, const Client& client, const SandboxFiles& remote, const std::string& source,
                  const std::string& destination, bool follow) {
  if (destination == "-")
    return remote.send(source, follow, [&](const archive::Source& archive) -> Result<> {
      std::string buffer(256u << 10, '\0');
      for (;;) {
        TRY_ASSIGN(const std::size_t n, archive(buffer));
        if (n == 0) return Ok{};
        TRY(write_all(context.streams.out, std::string_view(buffer).substr(0, n)));
      }
    });
  TRY_ASSIGN(const FileInfo found, remote.look(source, follow || source.ends_with('/')));
  TRY_ASSIGN(Destination target, find_destination(client, destination));
  TRY_ASSIGN(const Placement placement, place(source, shape_of(found), destination, target.found));
  Fd directory = std::move(target.place.directory);
  // The content of a directory under a new name: the archive's own top has no name to change, so we make it.
  const bool content = means_content(source) || base_name(source).empty();
  if (content && placement.name != ".") {
    const std::string& name = target.place.name;
    if (::mkdirat(directory.get(), name.c_str(), 0777) != 0) return fail_errno("make " + destination);
    TRY_ASSIGN(directory, open_beneath(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  }
  return remote.send(source, follow, [&](const archive::Source& archive) {
    return archive::unpack(archive, directory, {.rename = content ? "" : placement.name, .warn = warn});
  });
}

}  // namespace

Result<int> cp(Context& context, const Arguments& arguments) {
  const CopyOperand source = parse_copy_operand(arguments.operands()[0]);
  const CopyOperand destination = parse_copy_operand(arguments.operands()[1]);
  const bool follow = arguments.on("follow-link");
  if (source.is_remote() && destination.is_remote())
    return fail(Code::kInvalid, "copying between sandboxes is not supported",
                context.program + " cp " + source.sandbox + ":PATH - | " + context.program + " cp - " +
                    destination.sandbox + ":PATH");
  if (!source.is_remote() && !destination.is_remote())
    return fail(Code::kInvalid, "one of the two must be in a sandbox: SANDBOX:PATH", context.program + " cp --help");
  TRY_ASSIGN(const Client client, context.client());
  const SandboxFiles remote(client, source.is_remote() ? source.sandbox : destination.sandbox, warn);
  TRY_WITHIN("copy", source.is_remote() ? copy_out(context, client, remote, source.path, destination.path, follow)
                                        : copy_in(context, client, remote, source.path, destination.path, follow));
  return 0;
}

}  // namespace sbx::cli::verbs
