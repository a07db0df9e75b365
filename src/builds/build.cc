// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/build.h"

#include <fcntl.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "builds/adding.h"
#include "builds/copying.h"
#include "digest/sha256.h"

namespace sbx::builds {
namespace {

using dockerfile::Instruction;

constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kShownInstruction = 60;
constexpr std::size_t kShownLines = 3;
constexpr std::string_view kFetcher = "shell";  // the template that addresses are fetched in
constexpr unsigned kModeOfFetched = 0600;       // as docker has it

// As history shows it.
std::string line_of(const Instruction& instruction) {
  std::string flags;
  for (const auto& [name, value] : instruction.flags) flags += sbx::format("--{}={} ", name, value);
  return instruction.word + " " + flags + instruction.text;
}

// A script that begins with a comment says by it what it does.
std::string title_of(const Instruction& instruction) {
  if (instruction.heredocs.empty() || instruction.word != "RUN") return line_of(instruction);
  const std::string& script = instruction.heredocs.front().content;
  return script.starts_with("# ") ? "RUN " + script.substr(2) : line_of(instruction);
}

std::string short_line_of(const Instruction& instruction) {
  const std::string line = title_of(instruction);
  const std::string_view first = std::string_view(line).substr(0, line.find('\n'));
  return printable(first.substr(0, kShownInstruction)) + (first.size() > kShownInstruction ? "…" : "");
}

// All that an instruction says.
std::string text_of_all(const Instruction& instruction) {
  std::string all = line_of(instruction);
  for (const auto& heredoc : instruction.heredocs) all += "\n" + heredoc.content + heredoc.name;
  return all;
}

Result<unsigned> parse_mode(const std::string& text) {
  if (text.empty() || text.size() > 4 || text.find_first_not_of("01234567") != std::string::npos)
    return fail(Code::kInvalid, "--chmod=" + printable(text) + ": must be an octal number such as 0755");
  unsigned mode = 0;
  for (const char c : text) mode = mode * 8 + static_cast<unsigned>(c - '0');
  return mode;
}

Result<CopyOptions> copy_options(const Instruction& instruction, const StageImage& stage) {
  CopyOptions options;
  for (const auto& [name, value] : instruction.flags) {
    TRY_ASSIGN(const std::string expanded, dockerfile::expand(value, stage.scope(), stage.escape));
    if (name == "chown") {
      options.owner = expanded;
    } else if (name == "chmod") {
      TRY_ASSIGN(options.mode, parse_mode(expanded));
    } else if (name == "checksum" && instruction.word == "ADD") {
      options.checksum = expanded;
    } else if (name != "from" && name != "link") {
      return fail(Code::kUnsupported, instruction.word + " --" + name + " is not supported");
    }
  }
  return options;
}

// Caches are empty each time, which is what a cache may be. The others would be missed.
Result<> check_run_flags(const Instruction& instruction) {
  for (const auto& [name, value] : instruction.flags) {
    const bool is_harmless = name == "mount" && (value.find("type=cache") != std::string::npos ||
                                                 value.find("type=tmpfs") != std::string::npos);
    if (!is_harmless) return fail(Code::kUnsupported, sbx::format("RUN --{}={} is not supported", name, value));
  }
  return Ok{};
}

// The last lines of what a step printed, for the case of a failure.
class Tail {
 public:
  void append(std::string_view bytes) {
    text_ += bytes;
    if (text_.size() > kMost) text_.erase(0, text_.size() - kMost);
  }
  std::string lines() const {
    std::vector<std::string> said;
    for (const std::string& line : split(text_, '\n'))
      if (!trimmed(line).empty()) said.push_back(printable(trimmed(line)));
    if (said.size() > kShownLines) said.erase(said.begin(), said.end() - kShownLines);
    return join(said, "; ");
  }

 private:
  static constexpr std::size_t kMost = 16u << 10;
  std::string text_;
};

// What is at an address may be another thing tomorrow, unless its digest is given.
bool may_change(const Instruction& instruction) {
  return instruction.word == "ADD" && instruction.text.find("://") != std::string::npos &&
         !instruction.flag("checksum");
}

std::string joined(const std::string& directory, const std::string& path) {
  return path.starts_with('/') ? path : (directory == "/" ? "" : directory) + "/" + path;
}

}  // namespace

Build::Build(sandboxes::Sandboxes& sandboxes, GetTemplate templates, images::Templates& store,
             const std::string& directory, const BuildRequest& request, const Listener& listener)
    : sandboxes_(sandboxes),
      templates_(std::move(templates)),
      store_(store),
      images_(directory),
      cache_(directory),
      request_(request),
      listener_(listener) {}

Result<std::string> Build::run() {
  TRY(prepare());
  for (const dockerfile::Stage& stage : file_.stages) {
    auto built = build_stage(stage);
    bench_.reset();
    if (!built) return fail(std::move(built).error());
    stages_.push_back({stage.name, image_});
    if (!request_.target.empty() && stage.name == request_.target) return image_;
  }
  if (!request_.target.empty()) return fail(Code::kNotFound, "no stage is called " + printable(request_.target));
  return image_;
}

Result<> Build::prepare() {
  TRY_ASSIGN(file_, dockerfile::parse(request_.file));
  for (const auto& stage : file_.stages) steps_ += stage.instructions.size() + 1;
  if (steps_ > kMostSteps) return fail(Code::kTooLarge, sbx::format("it has more than {} instructions", kMostSteps));
  if (!request_.context.empty()) {
    TRY_ASSIGN(context_digest_, digest::sha256_of_file(request_.context));
  }
  StageImage outside;
  outside.escape = file_.escape;
  for (const Instruction& argument : file_.arguments) TRY(apply(argument, request_.arguments, outside));
  given_ = std::move(outside.arguments);
  for (const auto& [key, value] : request_.arguments) given_[key] = value;
  return Ok{};
}

Result<> Build::build_stage(const dockerfile::Stage& stage) {
  ++step_;
  TRY_ASSIGN(const std::string base, dockerfile::expand(stage.base, given_, file_.escape));
  auto begun = begin_from(base);
  if (!begun) return fail(std::move(begun).error().within(sbx::format("line {}: FROM {}", stage.line, base)));
  for (const Instruction& instruction : stage.instructions) {
    auto taken = take(instruction);
    if (!taken)
      return fail(std::move(taken).error().within(sbx::format("line {}: {}", instruction.line, instruction.word)));
  }
  if (!uncommitted_.empty()) TRY(commit(join(uncommitted_, "\n")));
  bench_.reset();
  return put_image();
}

Result<> Build::begin_from(const std::string& base) {
  stage_ = {};
  stage_.escape = file_.escape;
  bench_.reset();
  const auto earlier = std::ranges::find(stages_, base, &BuiltStage::name);
  if (earlier != stages_.end() && !base.empty()) {
    image_ = earlier->image;
  } else {
    TRY_ASSIGN(images::Template found, templates_({base}, listener_.progress));
    image_ = found.digest;
    base_ = std::move(found);
  }
  TRY_ASSIGN(stage_.image, images_.get(image_));
  return Ok{};
}

void Build::tell(const Instruction& instruction) {
  const std::string line = sbx::format("[{}/{}] {}", step_, steps_, short_line_of(instruction));
  if (listener_.progress) listener_.progress(line, 0, 0);
  if (listener_.output) listener_.output(line + "\n");
}

Result<> Build::take(const Instruction& instruction) {
  ++step_;
  tell(instruction);
  if (!changes_files(instruction.word)) {
    TRY(apply(instruction, given_, stage_));
    if (instruction.word != "ARG")
      stage_.image.history.push_back(
          {rfc3339(std::chrono::system_clock::now()), line_of(instruction), "", /*empty_layer=*/true});
    return Ok{};
  }
  if (request_.one_layer) {
    TRY(perform(instruction));
    uncommitted_.push_back(line_of(instruction));
    return Ok{};
  }
  return change_files(instruction);
}

// By what an instruction says and what it stands on, its result is known. An image's digest would not do: it tells when
// the image was made, too.
Result<std::string> Build::key_of(const Instruction& instruction) const {
  std::string all = sbx::format("{}\n{}\n{}\n", join(stage_.image.rootfs.diff_ids, " "), text_of(stage_.image.config),
                                text_of_all(instruction));
  for (const auto& [key, value] : stage_.arguments) all += sbx::format("{}={}\n", key, value);
  if (instruction.word == "RUN") return digest::sha256_of(all);
  if (const auto from = instruction.flag("from")) {
    TRY_ASSIGN(const std::string image, image_named(*from));
    all += image;
  } else {
    all += context_digest_;
  }
  return digest::sha256_of(all);
}

Result<> Build::change_files(const Instruction& instruction) {
  TRY(put_image());
  TRY_ASSIGN(const std::string key, key_of(instruction));
  if (const auto known = request_.anew || may_change(instruction) ? std::nullopt : cache_.find(key)) {
    if (auto image = images_.get(*known)) {
      if (listener_.output) listener_.output("  unchanged: taken from the cache\n");
      image_ = *known;
      stage_.image = std::move(*image);
      return Ok{};
    }
  }
  TRY(perform(instruction));
  TRY(commit(line_of(instruction)));
  bench_.reset();
  return cache_.put(key, image_);
}

Result<Workbench*> Build::bench() {
  if (!bench_) {
    TRY(put_image());
    TRY_ASSIGN(bench_, Workbench::open(sandboxes_, image_, request_.hosts));
  }
  return bench_.get();
}

Result<> Build::put_image() {
  TRY_ASSIGN(image_, images_.put(images::config_text(stage_.image)));
  return Ok{};
}

// What the workbench has changed is a layer on what it stood on.
Result<> Build::commit(const std::string& created_by) {
  uncommitted_.clear();
  if (!bench_) return Ok{};
  TRY_ASSIGN(const auto layer, bench_->changes(listener_.progress));
  if (layer) stage_.image.rootfs.diff_ids.push_back(layer->diff_id);
  stage_.image.created = rfc3339(std::chrono::system_clock::now());
  stage_.image.history.push_back({stage_.image.created, created_by, "", !layer.has_value()});
  return put_image();
}

Result<> Build::perform(const Instruction& instruction) {
  return instruction.word == "RUN" ? run_command_of(instruction) : copy(instruction);
}

Result<> Build::ensure_directory() {
  TRY_ASSIGN(Workbench * bench, this->bench());
  TRY_ASSIGN(const At at, look_at(*bench, stage_.directory()));
  return at == At::kNothing ? make_directory(stage_.directory(), *bench) : Ok{};
}

Result<> Build::run_command_of(const Instruction& instruction) {
  TRY(check_run_flags(instruction));
  TRY(ensure_directory());
  wire::ExecRequest request;
  request.command = run_command(instruction, stage_);
  request.user = stage_.user();
  request.directory = stage_.directory();
  request.environment = request_.environment;
  for (const auto& [key, value] : stage_.scope()) request.environment.emplace_back(key, value);
  return run_to_end(*bench_, std::move(request));
}

Result<> Build::run_to_end(Workbench& bench, wire::ExecRequest request) {
  TRY_ASSIGN(exchange::ExecStream stream, bench.start(std::move(request)));
  Tail tail;
  for (;;) {
    TRY_ASSIGN(const auto piece, stream.next());
    if (!piece) break;
    tail.append(piece->bytes);
    if (listener_.output) listener_.output(piece->bytes);
  }
  const wire::ExecExit& exit = *stream.exit();
  if (exit.code == 0) return Ok{};
  if (!exit.error.empty()) return fail(Code::kUnavailable, exit.error);
  return fail(Code::kUnavailable, sbx::format("the command ended with status {}: {}", exit.code, tail.lines()));
}

Result<> Build::copy(const Instruction& instruction) {
  std::vector<std::string> words = instruction.arguments;
  if (!instruction.is_json) {
    TRY_ASSIGN(words, dockerfile::expand_words(instruction.text, stage_.scope(), stage_.escape));
  }
  if (words.size() < 2) return fail(Code::kInvalid, "it needs a source and a destination");
  if (instruction.heredocs.empty()) return copy_files(instruction, words);
  TRY_ASSIGN(const CopyOptions options, copy_options(instruction, stage_));
  TRY_ASSIGN(Workbench * bench, this->bench());
  const std::string to = joined(stage_.directory(), words.back());
  for (const auto& heredoc : instruction.heredocs) {
    std::string content = heredoc.content;
    if (heredoc.expand) {
      TRY_ASSIGN(content, dockerfile::expand(content, stage_.scope(), stage_.escape));
    }
    TRY(copy_text(content, to.ends_with('/') ? to + heredoc.name : to, options, *bench));
  }
  return Ok{};
}

Result<std::string> Build::image_named(const std::string& name) const {
  const auto stage = std::ranges::find(stages_, name, &BuiltStage::name);
  if (stage != stages_.end()) return stage->image;
  const auto number = parse_integer(name);
  if (number && *number >= 0 && static_cast<std::size_t>(*number) < stages_.size())
    return stages_[static_cast<std::size_t>(*number)].image;
  TRY_ASSIGN(const images::Template found, templates_({name}, listener_.progress));
  return found.digest;
}

Result<> Build::copy_files(const Instruction& instruction, const std::vector<std::string>& words) {
  const std::vector<std::string> sources(words.begin(), words.end() - 1);
  TRY(check_patterns(sources));
  TRY_ASSIGN(const CopyOptions options, copy_options(instruction, stage_));
  const std::string to = joined(stage_.directory(), words.back());
  TRY(ensure_directory());
  TRY_ASSIGN(Workbench * bench, this->bench());
  bool is_directory = to.ends_with('/') || to.ends_with("/.") || sources.size() > 1;
  if (!is_directory) {
    TRY_ASSIGN(const At at, look_at(*bench, to));
    is_directory = at == At::kDirectory;
  }
  if (const auto from = instruction.flag("from")) {
    TRY_ASSIGN(const std::string image, image_named(*from));
    TRY_ASSIGN(const auto other, Workbench::open(sandboxes_, image, {}));
    return copy_between(*other, sources, to, is_directory, options, *bench);
  }
  return instruction.word == "ADD" ? add(sources, to, is_directory, options)
                                   : copy_context(CopyRule(sources, to, is_directory), options, {});
}

Result<> Build::copy_context(const CopyRule& rule, const CopyOptions& options, const std::set<std::string>& except) {
  if (request_.context.empty()) return fail(Code::kInvalid, "there is no directory to copy from");
  TRY_ASSIGN(const Fd context, open_path(request_.context, O_RDONLY));
  return copy_archive(archive::source_of(context), rule, options, *bench_, except);
}

// As COPY; but addresses are fetched, and archives of the directory are unpacked.
Result<> Build::add(const std::vector<std::string>& sources, const std::string& to, bool is_directory,
                    const CopyOptions& options) {
  std::vector<std::string> here;
  for (const std::string& source : sources) {
    if (!is_address(source)) {
      here.push_back(source);
      continue;
    }
    auto added = add_address(source, to, is_directory, options);
    if (!added) return fail(std::move(added).error().within(printable(source)));
  }
  if (here.empty()) return Ok{};
  if (!options.checksum.empty()) return fail(Code::kInvalid, "--checksum is for addresses");
  const CopyRule rule(here, to, is_directory);
  TRY_ASSIGN(const std::vector<AddedArchive> archives, archives_in(request_.context, rule, store_));
  std::set<std::string> unpacked;
  for (const AddedArchive& one : archives) unpacked.insert(one.path);
  TRY(copy_context(rule, options, unpacked));
  for (const AddedArchive& one : archives) {
    TRY_ASSIGN(const Fd plain, open_path(one.plain, O_RDONLY));
    TRY(copy_archive(archive::source_of(plain), CopyRule({""}, to, /*is_directory=*/true), options, *bench_));
  }
  return Ok{};
}

// Fetched in a sandbox of its own, on our own template, because the image need have no program for it; under the policy
// that the steps of the build have.
Result<> Build::add_address(const std::string& address, const std::string& to, bool is_directory,
                            const CopyOptions& options) {
  TRY_ASSIGN(const std::string name, name_in_address(address));
  TRY_ASSIGN(const images::Template ours, templates_({std::string(kFetcher)}, listener_.progress));
  TRY_ASSIGN(const auto fetcher, Workbench::open(sandboxes_, ours.digest, request_.hosts));
  const std::string file = "/tmp/added/" + name;
  wire::ExecRequest request;
  request.command = fetch_command(address, file);
  request.user = "root";
  request.directory = "/";
  request.environment = request_.environment;
  TRY(run_to_end(*fetcher, std::move(request)));
  if (!options.checksum.empty()) TRY(check_sum(*fetcher, file, options.checksum));
  CopyOptions as_docker = options;
  if (!as_docker.mode) as_docker.mode = kModeOfFetched;
  return copy_between(*fetcher, {file}, to, is_directory, as_docker, *bench_);
}

}  // namespace sbx::builds
