// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/blob_pull.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "blobs/message.h"

namespace sbx::proxy {
namespace {

constexpr std::size_t kPiece = 64u << 10;

std::string scheme_of(const RequestOrigin& origin) { return origin.encrypted ? "https://" : "http://"; }

// The name of a repository, as all registries have it. SECURITY: nothing in it leads elsewhere in the registry's host,
// to a page whose answer the client could choose: no "..", no query, nothing encoded.
bool is_repository(std::string_view name) {
  constexpr std::string_view kSeparators = "/._-";
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_plain(name.front()) || !is_plain(name.back())) return false;
  if (name.find("..") != name.npos || name.find("//") != name.npos || name.find("/.") != name.npos) return false;
  return std::ranges::all_of(name, [&](char c) { return is_plain(c) || kSeparators.find(c) != kSeparators.npos; });
}

std::optional<std::string> blob_digest_in(std::string_view path) {
  constexpr std::string_view kVersion = "/v2/";
  constexpr std::string_view kBlob = "/blobs/sha256:";
  const std::size_t blob = path.rfind(kBlob);
  if (!path.starts_with(kVersion) || blob == path.npos || blob < kVersion.size()) return std::nullopt;
  if (!is_repository(path.substr(kVersion.size(), blob - kVersion.size()))) return std::nullopt;
  const std::string digest(path.substr(blob + kBlob.size()));
  return blobs::is_file_name(digest) ? std::optional(digest) : std::nullopt;
}

// The whole of it, whatever the client has. SECURITY: with no fields but those of programs that pull images. Others can
// change what a server answers: Range and If-Match, but also X-Forwarded-Host, of which some make their redirects.
bool asks_for_all(const http::RequestHead& request) {
  constexpr std::array kUsual = {"Accept", "Accept-Encoding", "Authorization", "Referer", "Traceparent", "User-Agent"};
  return request.method == "GET" && request.length.value_or(0) == 0 &&
         std::ranges::all_of(request.fields, [&](const auto& field) {
           return std::ranges::any_of(kUsual, [&](const char* name) { return http::same_name(field.first, name); });
         });
}

bool is_redirect(int status) { return status == 302 || status == 303 || status == 307 || status == 308; }

// As a request for it will have it: no fragment. None: it is relative, or no address at all.
struct Location {
  policy::Target target;
  std::string address;
};
std::optional<Location> location_in(const http::ResponseHead& answer) {
  const auto text = http::find(answer.fields, "Location");
  if (!is_redirect(answer.status) || !text) return std::nullopt;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text->starts_with(scheme)) continue;
    const auto target = policy::parse_target(*text);
    const std::size_t path = text->find('/', scheme.size());
    if (!target || path == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text->substr(path, text->find('#') - path);
    return Location{*target, std::string(scheme) + target->text() + std::string(rest)};
  }
  return std::nullopt;
}

bool is_all_of_it(const http::ResponseHead& answer) {
  return answer.status == 200 && answer.length && !http::find(answer.fields, "Content-Encoding");
}

constexpr const char* kRange = "Range";
constexpr const char* kFirstByte = "bytes=0-0";

bool is_first_byte_of(std::uint64_t size, const http::ResponseHead& answer) {
  return answer.status == 206 && !http::find(answer.fields, "Content-Encoding") &&
         http::find(answer.fields, "Content-Range") == "bytes 0-0/" + std::to_string(size);
}
bool answers_about_parts(const http::ResponseHead& answer) { return answer.status == 206 || answer.status == 416; }

}  // namespace

BlobPull::BlobPull(ProxyServices& services, std::string digest, Handlers handlers)
    : services_(services), digest_(std::move(digest)), handlers_(std::move(handlers)) {}

BlobPull::~BlobPull() {
  if (const auto* asking = std::get_if<Asking>(&state_)) services_.blob_cache->cancel(asking->ticket);
}

std::unique_ptr<BlobPull> BlobPull::of(ProxyServices& services, const RequestOrigin& origin,
                                       const http::RequestHead& request, Handlers handlers) {
  if (services.blob_cache == nullptr || !asks_for_all(request)) return nullptr;
  const std::string host = scheme_of(origin) + origin.target.text();
  const auto digest = blob_digest_in(request.path);
  auto redirected = digest ? std::nullopt : services.redirected_blobs.take(host + request.path);
  if (!digest && !redirected) return nullptr;
  std::unique_ptr<BlobPull> pull(new BlobPull(services, digest.value_or(""), std::move(handlers)));
  if (redirected)
    pull->begin(std::move(*redirected));
  else
    pull->state_ = Asking{services.blob_cache->find(
        {host, *digest}, [pull = pull.get()](BlobCache::Found found) { pull->found(std::move(found)); })};
  return pull;
}

void BlobPull::found(BlobCache::Found found) {
  begin(std::move(found));
  tell(handlers_.on_ready);
}

void BlobPull::begin(BlobCache::Found found) {
  state_ = Passed{};
  if (found.file)
    state_ = Here{std::move(found.file), found.size, found.size, {}};
  else if (found.copy)
    copy_to(std::move(found.copy));
}

// The cache takes no more: there is no room for it. The client gets it all the same.
void BlobPull::lost() {
  forget();
  tell(handlers_.on_drained);
}

void BlobPull::copy_to(std::unique_ptr<streams::Stream> to) {
  to->listen(*this);
  state_ = Copying{std::move(to)};
}

void BlobPull::ask(http::RequestHead& request) {
  ask_for_all(request);  // it may be asked for the second time, on another connection
  request.fields.emplace_back(kRange, kFirstByte);
}

void BlobPull::ask_for_all(http::RequestHead& request) {
  std::erase_if(request.fields, [](const auto& field) { return http::same_name(field.first, kRange); });
}

BlobPull::Judgement BlobPull::judge(const http::ResponseHead& answer) {
  const auto size = std::get<Here>(state_).size;
  if (is_first_byte_of(size, answer) || (is_all_of_it(answer) && *answer.length == size)) return Judgement::kAllowed;
  if (!answers_about_parts(answer)) return Judgement::kPassOn;
  forget();
  return Judgement::kAskAgain;
}

http::ResponseHead BlobPull::head() const {
  http::ResponseHead head{200, std::get<Here>(state_).size, {{"Content-Type", "application/octet-stream"}}};
  if (!digest_.empty()) head.fields.emplace_back("Docker-Content-Digest", "sha256:" + digest_);
  return head;
}

Result<std::string_view> BlobPull::read() {
  auto& here = std::get<Here>(state_);
  here.piece.resize(std::min<std::uint64_t>(here.left, kPiece));
  ssize_t n = 0;
  do n = ::read(here.file.get(), here.piece.data(), here.piece.size());
  while (n < 0 && errno == EINTR);
  if (n < 0) return fail_errno("read a blob of the cache");
  if (n == 0 && here.left > 0) return fail(Code::kInternal, "a blob of the cache is shorter than it was");
  here.left -= static_cast<std::uint64_t>(n);
  return std::string_view(here.piece).substr(0, static_cast<std::size_t>(n));
}

void BlobPull::answered(const http::ResponseHead& answer) {
  if (auto* here = std::get_if<Here>(&state_)) return redirected(answer, {std::move(here->file), here->size, nullptr});
  auto* copying = std::get_if<Copying>(&state_);
  if (copying == nullptr) return;
  if (!is_all_of_it(answer)) return redirected(answer, {Fd(), 0, std::move(copying->to)});
  copying->begun = true;
  copying->to->send(blobs::size_prefix(*answer.length));
}

// SECURITY: only where the registry itself has redirected to. A host further on was not chosen by it.
void BlobPull::redirected(const http::ResponseHead& answer, BlobCache::Found blob) {
  forget();
  const auto location = digest_.empty() ? std::nullopt : location_in(answer);
  if (location) services_.redirected_blobs.expect(location->address, std::move(blob));
}

void BlobPull::copy(std::string_view bytes) {
  if (auto* copying = std::get_if<Copying>(&state_); copying != nullptr && copying->begun) copying->to->send(bytes);
}

bool BlobPull::full() const {
  const auto* copying = std::get_if<Copying>(&state_);
  return copying != nullptr && copying->to->queued() > streams::kHighWater;
}

void BlobPull::done() {
  auto* copying = std::get_if<Copying>(&state_);
  if (copying != nullptr && copying->begun) services_.blob_cache->finish(std::move(copying->to));
  forget();
}

}  // namespace sbx::proxy
