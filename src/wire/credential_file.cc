// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/credential_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/packing.h"

namespace sbx::wire {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;

void put(Packer& into, const std::vector<std::string>& texts) {
  into.number(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) into.bytes(text);
}

void put(Packer& into, const Credential& credential) {
  into.bytes(credential.name);
  put(into, credential.hosts);
  into.bytes(credential.header);
  into.bytes(credential.prefix);
  into.bytes(credential.basic_user);
  put(into, credential.placeholders);
  into.bytes(credential.value);
  into.number(credential.expires_ms);
}

std::vector<std::string_view> take_texts(Unpacker& from) {
  std::vector<std::string_view> texts;
  for (auto left = from.number<std::uint32_t>(); left > 0 && from.good(); --left) texts.push_back(from.bytes());
  return texts;
}

CredentialView take_credential(Unpacker& from) {
  CredentialView credential;
  credential.name = from.bytes();
  credential.hosts = take_texts(from);
  credential.header = from.bytes();
  credential.prefix = from.bytes();
  credential.basic_user = from.bytes();
  credential.placeholders = take_texts(from);
  credential.value = from.bytes();
  credential.expires_ms = from.number<std::int64_t>();
  return credential;
}

// The packer grows by copying, so it is given its room first: what is wiped is the only copy.
std::size_t room_for(const std::vector<Credential>& credentials) {
  std::size_t room = 64;
  for (const Credential& each : credentials) {
    room +=
        128 + each.name.size() + each.header.size() + each.prefix.size() + each.basic_user.size() + each.value.size();
    for (const std::string& host : each.hosts) room += sizeof(std::uint32_t) + host.size();
    for (const std::string& placeholder : each.placeholders) room += sizeof(std::uint32_t) + placeholder.size();
  }
  return room;
}

Result<Fd> sealed_file(std::string_view bytes) {
  Fd file(::memfd_create("sandbox-credentials", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return fail_errno("make a file in memory");
  TRY(write_all(file, bytes));
  if (::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) return fail_errno("seal a file in memory");
  return file;
}

}  // namespace

Result<Fd> make_credential_file(const std::vector<Credential>& credentials) {
  const std::size_t room = room_for(credentials);
  if (room > kLargestCredentialFile) return fail(Code::kTooLarge, "a sandbox cannot have that many credentials");
  Packer packer(room);
  packer.number(kVersion);
  packer.number(static_cast<std::uint32_t>(credentials.size()));
  for (const Credential& credential : credentials) put(packer, credential);
  std::string bytes = packer.take();
  auto file = sealed_file(bytes);
  ::explicit_bzero(bytes.data(), bytes.size());
  return file;
}

Result<std::vector<CredentialView>> read_credential_file(std::string_view bytes) {
  Unpacker from(bytes);
  if (from.number<std::uint32_t>() != kVersion)
    return fail(Code::kUnsupported, "the credentials have a form that is not known here");
  std::vector<CredentialView> credentials;
  for (auto left = from.number<std::uint32_t>(); left > 0 && from.good(); --left)
    credentials.push_back(take_credential(from));
  if (!from.whole()) return fail(Code::kInvalid, "the credentials make no sense");
  return credentials;
}

}  // namespace sbx::wire
