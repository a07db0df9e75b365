// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/docker/container_runtime.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "guest/exec/lookup.h"
#include "guest/network/network_environment.h"
#include "guest/trust/java_store.h"
#include "guest/trust/trust.h"

namespace sbx::guest {
namespace {

constexpr const char* kRuntime = "/run/sandbox/bin/runc";
constexpr const char* kMade = "/run/sandbox/trust/";  // the files that are made for containers
constexpr const char* kInside = "/dev/.sandbox/";
constexpr const char* kBundleInside = "/dev/.sandbox/ca-certificates.crt";
constexpr const char* kAuthorityInside = "/dev/.sandbox/proxy-ca.crt";

// What reads only a store of its own can be told of another one: by a file that a variable names, or by an option. A
// program that knows neither of these is not reached.
struct TrustedBy {
  const char* variable;
  const char* value;
  const char* file;
  const char* option = nullptr;  // the variable is a list of options: ours is one more, unless it has this one
};
constexpr TrustedBy kTrustedBy[] = {
    {"WGETRC", "/dev/.sandbox/wgetrc", "wgetrc"},          // wget with GnuTLS
    {"APT_CONFIG", "/dev/.sandbox/apt.conf", "apt.conf"},  // of https sources, with GnuTLS, too
    {"JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.trustStore=/dev/.sandbox/cacerts", "cacerts", "-Djavax.net.ssl.trustStore="},
};

// The value behind a flag, as "--bundle B" or "--bundle=B".
std::string value_after(const std::vector<std::string>& words, std::string_view name, std::string_view letter) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] == name || words[i] == letter) && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(std::string(name) + "=")) return words[i].substr(name.size() + 1);
  }
  return "";
}

// The "NAME=value" of it; null: it is not set.
std::string* entry_of(Json& environment, const std::string& name) {
  const auto entry = std::ranges::find_if(environment, [&](const Json& one) {
    return one.is_string() && one.get_ref<const std::string&>().starts_with(name + "=");
  });
  return entry == environment.end() ? nullptr : entry->get_ptr<std::string*>();
}

void add_variable(Json& environment, const std::string& name, const std::string& value, const char* option = nullptr) {
  std::string* const set = entry_of(environment, name);
  if (set == nullptr)
    environment.push_back(name + "=" + value);
  else if (option != nullptr && set->find(option) == std::string::npos)
    *set += " " + value;
}

void add_variables(Json& process) {
  if (!process.is_object()) return;
  Json& environment = process["env"];
  if (!environment.is_array()) environment = Json::array();
  for (const auto& [name, value] : trust_variables(kBundleInside, kAuthorityInside))
    add_variable(environment, name, value);
  for (const TrustedBy& one : kTrustedBy) add_variable(environment, one.variable, one.value, one.option);
}

void add_file(Json& mounts, const std::string& source, const std::string& target) {
  mounts.push_back({{"destination", target},
                    {"type", "bind"},
                    {"source", source},
                    {"options", {"bind", "ro", "nosuid", "nodev", "noexec"}}});
}

// A container that shares the guest's /dev is left alone: the files would be created in the guest's /dev.
bool has_own_devices(const Json& mounts) {
  return mounts.is_array() && std::ranges::any_of(mounts, [](const Json& mount) {
           return mount.is_object() && mount.value("destination", "") == "/dev" && mount.value("type", "") == "tmpfs";
         });
}

Result<> add_authority(const std::string& file) {
  TRY_ASSIGN(const std::string text, read_file(file));
  TRY_ASSIGN(Json description, parse_json(text));
  return write_file_atomically(file, dump(with_authority(std::move(description))));
}

Result<> make_files() {
  const std::string made = kMade;
  TRY(make_directories(made, 0755));
  const std::string bundle = read_file(kBundle).value_or("");
  const std::string inside = kBundleInside;
  TRY(write_file_atomically(made + "wgetrc", "ca_certificate = " + inside + "\n", 0644));
  TRY(write_file_atomically(made + "apt.conf", "Acquire::https::CAInfo \"" + inside + "\";\n", 0644));
  return write_file_atomically(made + "cacerts", java_store_of(bundle, microseconds_of(now()) / 1000), 0644);
}

// Where runc itself is looked for: we are on the PATH of our caller's, and must not become ourselves.
std::string path_without_us() {
  const char* const given = std::getenv("PATH");
  std::vector<std::string> directories = split(given != nullptr ? given : "", ':');
  std::erase(directories, kRuntimeDirectory);
  return join(directories, ":");
}

}  // namespace

Result<> offer_runtime() {
  TRY_WITHIN("make the stores of authorities for containers", make_files());
  if (exists(kRuntime)) return Ok{};
  TRY(make_directories(kRuntimeDirectory, 0755));
  TRY(open_path(kRuntime, O_WRONLY | O_CREAT, 0755));
  if (::mount("/proc/self/exe", kRuntime, nullptr, MS_BIND, nullptr) != 0)
    return fail_errno(std::string("put sandbox-init at ") + kRuntime);
  return Ok{};
}

bool is_runtime(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "";
  return name == "runc" || name.ends_with("/runc");
}

std::string described_in(const std::vector<std::string>& words) {
  const auto command = std::ranges::find_if(
      words, [](const std::string& word) { return word == "create" || word == "run" || word == "exec"; });
  if (command == words.end()) return "";
  const std::vector<std::string> flags(command + 1, words.end());
  if (*command == "exec") return value_after(flags, "--process", "-p");
  const std::string bundle = value_after(flags, "--bundle", "-b");
  return bundle.empty() ? "config.json" : bundle + "/config.json";
}

Json with_authority(Json description) {
  if (!description.is_object()) return description;
  if (!description.contains("process")) {  // it is a process, of `exec`
    add_variables(description);
    return description;
  }
  if (!has_own_devices(description["mounts"])) return description;
  add_file(description["mounts"], kBundle, kBundleInside);
  add_file(description["mounts"], kAuthorityFile, kAuthorityInside);
  for (const TrustedBy& one : kTrustedBy)
    add_file(description["mounts"], std::string(kMade) + one.file, std::string(kInside) + one.file);
  add_variables(description["process"]);
  return description;
}

int run_runtime(int argc, char** argv) {
  const std::string file = described_in({argv + 1, argv + argc});
  // A container without the authority works, and one that is not made does not.
  if (!file.empty())
    if (const auto added = add_authority(file); !added)
      std::fprintf(stderr, "sandbox-init: the sandbox's authority is not trusted: %s\n", added.error().what().c_str());
  const auto program = find_program("runc", path_without_us());
  if (!program) return std::fprintf(stderr, "%s\n", program.error().what().c_str()), 127;
  ::execv(program->c_str(), argv);
  return std::perror("runc"), 126;
}

}  // namespace sbx::guest
