// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/apt_sources.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>

#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::images {
namespace {

// one-line name, deb822 name
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kKeptOptions = {{
    {"signed-by", "Signed-By"},
    {"trusted", "Trusted"},
    {"check-valid-until", "Check-Valid-Until"},
}};

constexpr std::array<std::string_view, 7> kComponents = {"main",       "contrib",  "non-free",  "non-free-firmware",
                                                         "restricted", "universe", "multiverse"};

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

void keep_option(AptSource& source, std::string_view name, std::string_view value) {
  for (const auto& [one_line, deb822] : kKeptOptions)
    if (lowered(name) == one_line && !value.empty()) source.options.emplace_back(deb822, value);
}

// "[arch=amd64 signed-by=/x] rest": takes the options off the front of `line`.
void take_bracketed(AptSource& source, std::string_view& line) {
  line = trimmed(line);
  if (!line.starts_with('[')) return;
  const auto end = std::min(line.find(']'), line.size() - 1);
  for (const std::string& option : words(line.substr(1, end - 1)))
    if (const auto equals = option.find('='); equals != std::string::npos)
      keep_option(source, std::string_view(option).substr(0, equals), std::string_view(option).substr(equals + 1));
  line.remove_prefix(end + 1);
}

using Stanza = std::map<std::string, std::string>;

std::vector<Stanza> stanzas(std::string_view text) {
  std::vector<Stanza> out(1);
  std::string key;
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with('#')) continue;
    if (trimmed(line).empty()) {
      out.emplace_back();
    } else if (line.front() == ' ' || line.front() == '\t') {
      out.back()[key] += "\n" + line;
    } else if (const auto colon = line.find(':'); colon != std::string::npos) {
      key = lowered(line.substr(0, colon));
      out.back()[key] = trimmed(std::string_view(line).substr(colon + 1));
    }
  }
  return out;
}

AptSource source_of(Stanza& stanza) {
  AptSource source{words(stanza["uris"]), words(stanza["suites"]), words(stanza["components"]), {}};
  for (const auto& [name, deb822] : kKeptOptions) keep_option(source, name, stanza[std::string(name)]);
  return source;
}

bool wanted(Stanza& stanza) {
  const auto types = words(stanza["types"]);
  return std::find(types.begin(), types.end(), "deb") != types.end() && lowered(stanza["enabled"]) != "no";
}

bool of_release(const std::string& suite, const std::string& codename) {
  if (suite == "stable" || suite == "testing" || suite == "unstable" || suite == "sid") return true;
  return suite == codename || suite == codename + "-updates" || suite == codename + "-security";
}

bool of_distribution(const std::string& component) {
  return std::find(kComponents.begin(), kComponents.end(), component) != kComponents.end();
}

// Whether the guest will have the key: the distribution's keyring package brings it, or apt trusts it anyway.
bool key_is_the_distributions(const AptSource& source) {
  for (const auto& [name, value] : source.options)
    if (name == "Signed-By" && !value.starts_with("/usr/share/keyrings/")) return false;
  return true;
}

std::vector<std::string> listed_mirrors(const std::string& file) {
  std::vector<std::string> out;
  const auto text = read_file(file);
  if (!text) return out;
  for (const std::string& line : split(*text, '\n'))
    if (const auto fields = words(line); !fields.empty() && !fields.front().starts_with('#'))
      out.push_back(fields.front());
  return out;
}

std::vector<std::string> reachable(const std::vector<std::string>& uris) {
  std::vector<std::string> out;
  for (const std::string& uri : uris) {
    if (uri.starts_with("mirror+file:")) {
      const auto path = uri.find_first_not_of('/', uri.find(':') + 1);
      const auto listed = listed_mirrors("/" + uri.substr(std::min(path, uri.size())));
      out.insert(out.end(), listed.begin(), listed.end());
    } else if (!uri.starts_with("file:") && !uri.starts_with("cdrom:") && !uri.starts_with("copy:")) {
      out.push_back(uri);
    }
  }
  return out;
}

// The part of the entry that serves the release; empty lists when there is none.
AptSource narrowed(AptSource source, const std::string& codename) {
  source.uris = reachable(source.uris);
  std::erase_if(source.suites, [&](const std::string& suite) { return !of_release(suite, codename); });
  std::erase_if(source.components, [](const std::string& component) { return !of_distribution(component); });
  return source;
}

std::vector<std::string> source_files(const std::string& apt_directory) {
  std::vector<std::string> files = {apt_directory + "/sources.list"};
  const std::string parts = apt_directory + "/sources.list.d";
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(parts.c_str()),
                                                    [](DIR* d) { return d != nullptr ? ::closedir(d) : 0; });
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name(entry->d_name);
    if (name.ends_with(".list") || name.ends_with(".sources")) files.push_back(sbx::format("{}/{}", parts, name));
  }
  std::sort(files.begin() + 1, files.end());
  return files;
}

}  // namespace

std::vector<AptSource> parse_sources_list(std::string_view text) {
  std::vector<AptSource> out;
  for (const std::string& raw : split(text, '\n')) {
    std::string_view line = trimmed(std::string_view(raw).substr(0, raw.find('#')));
    if (!line.starts_with("deb ") && !line.starts_with("deb\t")) continue;
    line.remove_prefix(3);
    AptSource source;
    take_bracketed(source, line);
    const auto fields = words(line);
    if (fields.size() < 3) continue;
    source.uris = {fields[0]};
    source.suites = {fields[1]};
    source.components.assign(fields.begin() + 2, fields.end());
    out.push_back(std::move(source));
  }
  return out;
}

std::vector<AptSource> parse_deb822(std::string_view text) {
  std::vector<AptSource> out;
  for (Stanza& stanza : stanzas(text))
    if (wanted(stanza)) out.push_back(source_of(stanza));
  return out;
}

Result<std::vector<AptSource>> host_sources(const std::string& apt_directory, const std::string& codename) {
  if (!exists(apt_directory))
    return fail(Code::kUnavailable, "templates are made of the host's apt sources, and there is no " + apt_directory,
                "use a Debian 12 or newer or an Ubuntu 24.04 or newer host");
  std::vector<AptSource> out;
  for (const std::string& file : source_files(apt_directory)) {
    const auto text = read_file(file);
    if (!text) continue;
    for (const AptSource& source : file.ends_with(".sources") ? parse_deb822(*text) : parse_sources_list(*text)) {
      AptSource part = narrowed(source, codename);
      const bool complete = !part.uris.empty() && !part.suites.empty() && !part.components.empty();
      if (complete && key_is_the_distributions(part)) out.push_back(std::move(part));
    }
  }
  if (out.empty())
    return fail(Code::kUnavailable, sbx::format("no package source for {} in {}", codename, apt_directory),
                "sudo apt-get update");
  return out;
}

std::string to_deb822(const std::vector<AptSource>& sources) {
  std::string out;
  for (const AptSource& source : sources) {
    if (!out.empty()) out += '\n';
    out += sbx::format("Types: deb\nURIs: {}\nSuites: {}\nComponents: {}\n", join(source.uris, " "),
                       join(source.suites, " "), join(source.components, " "));
    for (const auto& [name, value] : source.options) out += sbx::format("{}: {}\n", name, value);
  }
  return out;
}

std::vector<AptSource> without_credentials(std::vector<AptSource> sources) {
  for (AptSource& source : sources)
    for (std::string& uri : source.uris) {
      const auto begin = uri.find("://");
      if (begin == std::string::npos) continue;
      const auto at = uri.substr(0, uri.find('/', begin + 3)).rfind('@');
      if (at != std::string::npos && at > begin) uri.erase(begin + 3, at - begin - 2);
    }
  return sources;
}

}  // namespace sbx::images
