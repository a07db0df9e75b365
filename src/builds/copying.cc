// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/copying.h"

#include <algorithm>
#include <set>
#include <vector>

#include "archive/reader.h"
#include "archive/writer.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::builds {
namespace {

constexpr std::size_t kLargestStat = 64u << 10;
constexpr std::chrono::seconds kLongestStat{60};
constexpr std::size_t kLongestCommand = 100u << 10;  // bytes of names in one call of chown
constexpr std::string_view kPatterns = "*?[";
constexpr std::ptrdiff_t kMostStars = 3;  // fnmatch tries all ways to spread a name over them

wire::ExecRequest builtin(wire::Builtin which, const std::string& path) {
  wire::ExecRequest request;
  request.builtin = which;
  request.path = path;
  request.user = "root";
  request.directory = "/";
  return request;
}

std::string parent_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// An archive that is unpacked in a workbench while it is written. Its entries have absolute paths; they are made below
// the deepest directory of `near` that is there, because that one may be behind symbolic links, and those in an archive
// may not.
class Delivery {
 public:
  static Result<std::unique_ptr<Delivery>> open(const std::string& near, const CopyOptions& options, Workbench& bench) {
    std::string base = near;
    for (;;) {
      TRY_ASSIGN(const At at, look_at(bench, base));
      if (at == At::kDirectory || base == "/") break;
      base = parent_of(base);
    }
    wire::ExecRequest request = builtin(wire::Builtin::kUnpack, base);
    request.interactive = true;
    TRY_ASSIGN(exchange::ExecStream stream, bench.start(std::move(request)));
    return std::unique_ptr<Delivery>(new Delivery(std::move(base), options, bench, std::move(stream)));
  }

  Result<> add(archive::Member member) {
    if (member.name.size() <= base_.size()) return Ok{};  // a directory that is there
    note_parents(member.name);
    made_.insert(member.name);
    member.name = inside(member.name);
    if (member.type == archive::Type::kHardLink) member.link = inside(member.link);
    if (options_.mode && member.type != archive::Type::kSymlink) member.mode = *options_.mode;
    return explained(writer_.add(member));
  }

  Result<> content(std::string_view bytes) { return explained(writer_.content(bytes)); }

  Result<> finish() {
    TRY(explained(writer_.finish()));
    TRY(stream_.end_input());
    TRY(stream_.finish());
    return options_.owner.empty() ? Ok{} : give_away();
  }

 private:
  Delivery(std::string base, CopyOptions options, Workbench& bench, exchange::ExecStream stream)
      : base_(std::move(base)),
        options_(std::move(options)),
        bench_(bench),
        stream_(std::move(stream)),
        writer_([this](std::string_view bytes) { return stream_.write(bytes); }) {}

  std::string inside(const std::string& path) const { return path.substr(base_ == "/" ? 1 : base_.size() + 1); }

  // Directories that are made on the way belong to the same owner.
  void note_parents(const std::string& path) {
    for (std::string parent = parent_of(path); parent.size() > base_.size(); parent = parent_of(parent))
      if (!made_.insert(parent).second) break;
  }

  // What has ended reads no more: why it has ended is what matters.
  Result<> explained(Result<> written) {
    if (written) return written;
    TRY(stream_.finish());
    return written;
  }

  Result<> give_away() {
    std::vector<std::string> batch;
    std::size_t size = 0;
    for (const std::string& path : made_) {
      batch.push_back(path);
      size += path.size() + 1;
      if (size < kLongestCommand) continue;
      TRY(chown(std::exchange(batch, {})));
      size = 0;
    }
    return batch.empty() ? Ok{} : chown(batch);
  }

  Result<> chown(const std::vector<std::string>& paths) {
    wire::ExecRequest request;
    request.command = {"chown", "-h", options_.owner, "--"};
    request.command.insert(request.command.end(), paths.begin(), paths.end());
    request.user = "root";
    request.directory = "/";
    TRY_ASSIGN(exchange::ExecStream stream, bench_.start(std::move(request)));
    auto done = stream.finish();
    if (!done) return fail(std::move(done).error().within("--chown=" + options_.owner));
    return Ok{};
  }

  const std::string base_;
  const CopyOptions options_;
  Workbench& bench_;
  exchange::ExecStream stream_;
  archive::ArchiveWriter writer_;
  std::set<std::string> made_;
};

Result<> pass_on(archive::ArchiveReader& reader, Delivery& delivery) {
  for (;;) {
    TRY_ASSIGN(const std::string_view bytes, reader.content());
    if (bytes.empty()) return Ok{};
    TRY(delivery.content(bytes));
  }
}

archive::Member file_of(const std::string& path, std::size_t size) {
  archive::Member member;
  member.name = path;
  member.mode = 0644;
  member.size = static_cast<std::int64_t>(size);
  return member;
}

}  // namespace

Result<At> look_at(Workbench& bench, const std::string& path) {
  wire::ExecRequest request = builtin(wire::Builtin::kStat, path);
  request.follow_link = true;
  TRY_ASSIGN(exchange::ExecStream stream, bench.start(std::move(request)));
  stream.give_up_at(steady_now() + kLongestStat);
  TRY_ASSIGN(const std::string text, stream.read_all(kLargestStat));
  TRY(stream.finish());
  TRY_ASSIGN(const Json json, parse_json(text));
  Fields fields(json, "stat");
  const bool is_there = fields.boolean("exists", false);
  const bool is_directory = fields.text("type", "") == "directory";
  TRY(fields.finish(/*allow_unknown=*/true));
  if (!is_there) return At::kNothing;
  return is_directory ? At::kDirectory : At::kFile;
}

Result<> check_patterns(const std::vector<std::string>& sources) {
  for (const std::string& source : sources)
    if (std::ranges::count(source, '*') > kMostStars)
      return fail(Code::kInvalid, printable(source) + ": a pattern has at most three *");
  return Ok{};
}

Result<> copy_archive(const archive::Source& from, const CopyRule& rule, const CopyOptions& options, Workbench& bench,
                      const std::set<std::string>& except) {
  archive::ArchiveReader reader(from);
  std::unique_ptr<Delivery> delivery;
  std::set<std::size_t> used;
  for (;;) {
    TRY_ASSIGN(auto member, reader.next());
    if (!member) break;
    const std::string path = plain_path(member->name);
    const auto target = rule.target_of(path);
    if (!target) continue;
    used.insert(*rule.source_of(path));
    if (except.contains(path)) continue;
    if (!delivery) {
      TRY_ASSIGN(delivery, Delivery::open(rule.destination(), options, bench));
    }
    if (member->type == archive::Type::kHardLink) {
      const auto link = rule.target_of(plain_path(member->link));
      if (!link) return fail(Code::kUnsupported, path + " is a hard link to what is not copied: " + member->link);
      member->link = *link;
    }
    member->name = *target;
    TRY(delivery->add(std::move(*member)));
    TRY(pass_on(reader, *delivery));
  }
  for (std::size_t i = 0; i < rule.sources().size(); ++i)
    if (!used.contains(i) && !rule.sources()[i].empty())
      return fail(Code::kNotFound, "nothing is called " + printable(rule.sources()[i]));
  return delivery ? delivery->finish() : Ok{};
}

// SECURITY: what the other one packs is a guest's word, and read in the daemon; it is passed on to another guest, by a
// bounded reader, and never unpacked here (docs/threat-model.md).
Result<> copy_between(Workbench& from, const std::vector<std::string>& sources, const std::string& to,
                      bool is_directory, const CopyOptions& options, Workbench& bench) {
  for (const std::string& source : sources) {
    if (source.find_first_of(kPatterns) != std::string::npos)
      return fail(Code::kUnsupported, "COPY --from takes no patterns: " + printable(source));
    const std::string path = "/" + plain_path(source);
    wire::ExecRequest request = builtin(wire::Builtin::kPack, path);
    request.follow_link = true;
    TRY_ASSIGN(exchange::ExecStream stream, from.start(std::move(request)));
    const archive::Source archive = [&](std::span<char> buffer) { return stream.read(buffer); };
    const CopyRule rule({path == "/" ? "" : path.substr(path.find_last_of('/') + 1)}, to, is_directory);
    auto copied = copy_archive(archive, rule, options, bench);
    TRY(stream.finish());
    TRY(copied);
  }
  return Ok{};
}

Result<> copy_text(const std::string& content, const std::string& path, const CopyOptions& options, Workbench& bench) {
  TRY_ASSIGN(const auto delivery, Delivery::open(parent_of(path), options, bench));
  TRY(delivery->add(file_of(path, content.size())));
  TRY(delivery->content(content));
  return delivery->finish();
}

Result<> make_directory(const std::string& path, Workbench& bench) {
  TRY_ASSIGN(const auto delivery, Delivery::open(path, {}, bench));
  archive::Member member;
  member.name = path;
  member.type = archive::Type::kDirectory;
  member.mode = 0755;
  TRY(delivery->add(std::move(member)));
  return delivery->finish();
}

}  // namespace sbx::builds
