// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/sources.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "base/value.h"
#include "images/image_config.h"
#include "layers/documents.h"

namespace sbx::images {
namespace {

using wire::TemplateSource;

constexpr std::string_view kUnix = "unix://";

std::string whole(const Reference& reference) { return reference.whole(); }
std::string shown(const Reference& reference) { return reference.shown(); }

Result<> always() { return Ok{}; }

Result<> docker_is_here() {
  if (docker_host()) return Ok{};
  return fail(Code::kUnavailable, "there is no Docker here: no /var/run/docker.sock",
              "start Docker, or set DOCKER_HOST for the daemon");
}

constexpr NamedSource kNamed[] = {
    {TemplateSource::kRegistry, "its registry", "docker://", whole, always},
    {TemplateSource::kDocker, "the local Docker", "docker-daemon:", shown, docker_is_here},
    {TemplateSource::kPodman, "podman's storage", "containers-storage:", whole, always, true},
};

// Without a row for root file systems: those are no images, and skopeo does not read them.
struct ArchiveTransport {
  ArchiveKind kind;
  std::string_view transport;
};
constexpr ArchiveTransport kArchives[] = {
    {ArchiveKind::kDocker, "docker-archive:"},
    {ArchiveKind::kOci, "oci-archive:"},
};

// A registry that Docker, too, speaks to without TLS.
bool is_local(std::string_view registry) {
  const std::string_view host = registry.substr(0, registry.rfind(':'));
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

std::string origin_of(std::string_view registry) {
  const std::string host(registry == "docker.io" ? "registry-1.docker.io" : registry);
  const bool has_port = host.find(':', host.rfind(']') + 1) != std::string::npos;
  return "https://" + host + (has_port ? "" : ":443");
}

// manifest.json of `docker save`: a list of these.
struct SavedImage {
  std::string config;
  std::vector<std::string> tags;
  std::vector<std::string> layers;
};
void describe(Members& members, SavedImage& image) {
  members.required("Config", image.config);
  members.optional("RepoTags", image.tags);
  members.required("Layers", image.layers);
}

// index.json of an image layout.
struct IndexedImage {
  std::string digest;
  std::vector<std::pair<std::string, std::string>> annotations;
};
void describe(Members& members, IndexedImage& image) {
  members.required("digest", image.digest);
  members.optional("annotations", image.annotations);
}
struct ImageIndex {
  std::vector<IndexedImage> manifests;
};
void describe(Members& members, ImageIndex& index) { members.required("manifests", index.manifests); }

Result<std::vector<ArchivedImage>> saved_images(Json list) {
  drop_nulls(list);
  std::vector<ArchivedImage> found;
  for (const Json& item : list) {
    TRY_ASSIGN(auto image, value_of<SavedImage>(item, "manifest.json", Unknown::kIgnored));
    const std::string_view digest = layers::digest_in_name(image.config);
    found.push_back({ArchiveKind::kDocker, ":@" + std::to_string(found.size()), std::move(image.tags),
                     digest.empty() ? "" : "sha256:" + std::string(digest)});
  }
  return found;
}

std::string annotation(const IndexedImage& image, std::string_view key) {
  const auto found = std::ranges::find(image.annotations, key, &std::pair<std::string, std::string>::first);
  return found == image.annotations.end() ? "" : found->second;
}

// What skopeo and podman write as the reference is a name; what BuildKit writes there is a tag, and the name is in an
// annotation of its own.
std::vector<std::string> names_of(const IndexedImage& image, const std::string& reference) {
  const std::string name = annotation(image, "io.containerd.image.name");
  if (!name.empty()) return {name};
  if (reference.find_first_of(":/") != std::string::npos) return {reference};
  return {};
}

Result<std::vector<ArchivedImage>> indexed_images(const std::string& text) {
  TRY_ASSIGN(const auto index, value_in<ImageIndex>(text, "index.json", Unknown::kIgnored));
  std::vector<ArchivedImage> found;
  for (const IndexedImage& image : index.manifests) {
    const std::string reference = annotation(image, "org.opencontainers.image.ref.name");
    if (reference.empty() && index.manifests.size() > 1)
      return fail(Code::kUnsupported, "of the images in the archive some have no name to choose them by",
                  "skopeo copy the one that you want to an archive of its own");
    found.push_back({ArchiveKind::kOci, reference.empty() ? "" : ":" + reference, names_of(image, reference)});
  }
  return found;
}

bool is_saved_list(const Json& json) {
  return json.is_array() && !json.empty() && json[0].is_object() && json[0].contains("Config");
}

}  // namespace

const NamedSource& named_source(TemplateSource kind) {
  const auto* const found = std::ranges::find(kNamed, kind, &NamedSource::kind);
  return found == std::end(kNamed) ? kNamed[0] : *found;
}

Result<ImageLocation> location_in(const NamedSource& source, const Reference& reference, std::string architecture) {
  TRY(source.available());
  ImageLocation location{std::string(source.transport) + source.name(reference), std::move(architecture)};
  const bool is_registry = source.kind == TemplateSource::kRegistry;
  location.plain_http = is_registry && is_local(reference.registry);
  if (is_registry && !location.plain_http) location.origin = origin_of(reference.registry);
  if (source.kind == TemplateSource::kDocker) location.docker_host = docker_host().value_or("");
  return location;
}

ImageLocation ArchivedImage::location(const Fd& file) const {
  const auto* const found = std::ranges::find(kArchives, kind, &ArchiveTransport::kind);
  if (found == std::end(kArchives)) std::abort();
  return {.text = std::string(found->transport) + kPassedArchive + selector, .architecture = "", .archive = file.get()};
}

Result<std::vector<ArchivedImage>> archived_images(const std::string& docker_manifest, const std::string& oci_index) {
  const auto saved = parse_json(docker_manifest);
  auto found = saved && is_saved_list(*saved) ? saved_images(*saved)
               : !oci_index.empty()           ? indexed_images(oci_index)
                                              : Result<std::vector<ArchivedImage>>({});
  if (!found) return fail(std::move(found).error().within("read the archive"));
  return found;
}

Result<std::string> architecture_of(const std::string& platform) {
  constexpr std::string_view kLinux = "linux/";
  const std::string text = platform.starts_with(kLinux) ? platform.substr(kLinux.size()) : platform;
  const auto is_ours = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/'; };
  const bool is_well_formed = std::ranges::all_of(text, is_ours) && !text.starts_with('/') && !text.ends_with('/') &&
                              std::ranges::count(text, '/') <= 1;
  const bool is_other_system = text == platform && text.find('/') != std::string::npos && !text.starts_with("arm");
  if (platform.empty() || (is_well_formed && !text.empty() && !is_other_system)) return text;
  return fail(Code::kInvalid, "platform \"" + printable(platform) + "\": must be linux/ and an architecture",
              "linux/amd64, linux/arm64");
}

std::optional<std::string> docker_host() {
  if (const char* chosen = std::getenv("DOCKER_HOST"); chosen != nullptr && *chosen != '\0') {
    const std::string_view host = chosen;
    const bool is_there = !host.starts_with(kUnix) || exists(std::string(host.substr(kUnix.size())));
    return is_there ? std::optional<std::string>(host) : std::nullopt;
  }
  std::vector<std::string> sockets{"/var/run/docker.sock"};
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) sockets.push_back(std::string(runtime) + "/docker.sock");
  for (const std::string& socket : sockets)
    if (exists(socket)) return std::string(kUnix) + socket;
  return std::nullopt;
}

}  // namespace sbx::images
