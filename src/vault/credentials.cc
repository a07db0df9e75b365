// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/credentials.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

namespace sbx::vault {
namespace {

// SECURITY: what is mapped must not change or shrink under us.
constexpr int kNeededSeals = F_SEAL_WRITE | F_SEAL_SHRINK;

Result<std::string_view> map(const Fd& file) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("look at the credentials");
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kNeededSeals) != kNeededSeals)
    return fail(Code::kInvalid, "the credentials are not sealed");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0 || size > wire::kLargestCredentialFile) return fail(Code::kInvalid, "the credentials have no fit size");
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) return fail_errno("map the credentials");
  (void)::mlock(at, size);  // an ordinary user's limit may be too low: then they may be swapped out
  (void)::madvise(at, size, MADV_DONTDUMP);
  return std::string_view(static_cast<const char*>(at), size);
}

}  // namespace

Result<std::shared_ptr<const Credentials>> Credentials::load(const Fd& file) {
  TRY_ASSIGN(const std::string_view bytes, map(file));
  const std::shared_ptr<Credentials> credentials(new Credentials(bytes));
  TRY_ASSIGN(credentials->all_, wire::read_credential_file(bytes));
  return credentials;
}

Credentials::~Credentials() { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

std::vector<const wire::CredentialView*> Credentials::of_host(std::string_view host) const {
  std::vector<const wire::CredentialView*> found;
  for (const wire::CredentialView& each : all_)
    if (std::ranges::find(each.hosts, host) != each.hosts.end()) found.push_back(&each);
  return found;
}

Bindings Credentials::bindings() const {
  Bindings bindings;
  const auto known = [&bindings](std::string_view text) -> Bindings::Placeholder& {
    for (Bindings::Placeholder& each : bindings.placeholders)
      if (each.text == text) return each;
    return bindings.placeholders.emplace_back(Bindings::Placeholder{std::string(text), {}});
  };
  for (const wire::CredentialView& each : all_) {
    bindings.hosts.insert(each.hosts.begin(), each.hosts.end());
    for (const std::string_view placeholder : each.placeholders)
      if (!placeholder.empty()) known(placeholder).hosts.insert(each.hosts.begin(), each.hosts.end());
  }
  return bindings;
}

}  // namespace sbx::vault
