// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/bzimage.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "backends/qemu/kit/decompress.h"
#include "base/fd.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::size_t kSector = 512;
constexpr std::size_t kSetupSectors = 0x1f1;
constexpr std::size_t kMagic = 0x202;
constexpr std::size_t kProtocol = 0x206;
constexpr std::size_t kVersionText = 0x20e;
constexpr std::size_t kPayloadOffset = 0x248;
constexpr std::size_t kPayloadLength = 0x24c;
constexpr std::uint16_t kFirstWithPayload = 0x0208;
constexpr std::uint32_t kPhys32Entry = 18;  // XEN_ELFNOTE_PHYS32_ENTRY

// The value at an offset, which need not be aligned; nothing beyond the end.
template <class T>
std::optional<T> value_at(std::string_view bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<std::string_view> part(std::string_view bytes, std::size_t offset, std::size_t length) {
  if (offset > bytes.size() || bytes.size() - offset < length) return std::nullopt;
  return bytes.substr(offset, length);
}

std::uint16_t protocol_of(std::string_view image) {
  if (part(image, kMagic, 4) != "HdrS") return 0;
  return value_at<std::uint16_t>(image, kProtocol).value_or(0);
}

std::optional<std::string_view> payload_of(std::string_view image) {
  if (protocol_of(image) < kFirstWithPayload) return std::nullopt;
  const auto sectors = value_at<std::uint8_t>(image, kSetupSectors);
  const auto offset = value_at<std::uint32_t>(image, kPayloadOffset);
  const auto length = value_at<std::uint32_t>(image, kPayloadLength);
  if (!sectors || !offset || !length) return std::nullopt;
  // No sectors mean four, for the sake of very old loaders.
  const std::size_t setup = (*sectors == 0 ? 4u : *sectors) + 1u;
  return part(image, setup * kSector + *offset, *length);
}

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

bool has_entry_note(std::string_view notes) {
  std::size_t at = 0;
  while (const auto note = value_at<Elf64_Nhdr>(notes, at)) {
    at += sizeof *note;
    const auto name = part(notes, at, note->n_namesz);
    if (note->n_type == kPhys32Entry && name == std::string_view("Xen", 4)) return true;
    at += padded(note->n_namesz) + padded(note->n_descsz);
  }
  return false;
}

}  // namespace

Result<std::string> image_head(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY));
  std::string head(kImageHead, '\0');
  const ssize_t n = ::pread(file.get(), head.data(), head.size(), 0);
  if (n < 0) return fail_errno("read " + path);
  head.resize(static_cast<std::size_t>(n));
  return head;
}

std::optional<std::string> release_of(std::string_view head) {
  if (protocol_of(head) == 0) return std::nullopt;
  const auto offset = value_at<std::uint16_t>(head, kVersionText);
  if (!offset || *offset == 0 || *offset + kSector > head.size()) return std::nullopt;
  const std::string_view text = head.substr(*offset + kSector);
  const std::size_t end = text.find_first_of(std::string_view(" \0", 2));
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  // It becomes part of a path.
  const std::string_view release = text.substr(0, end);
  if (release.find('/') != std::string_view::npos || release.starts_with('.')) return std::nullopt;
  return std::string(release);
}

bool has_pvh_entry(std::string_view image) {
  const auto header = value_at<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) return false;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = value_at<Elf64_Phdr>(image, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_NOTE) continue;
    if (const auto notes = part(image, segment->p_offset, segment->p_filesz); notes && has_entry_note(*notes))
      return true;
  }
  return false;
}

Result<std::string> uncompressed_kernel(std::string_view image) {
  if (has_pvh_entry(image)) return std::string(image);
  const auto payload = payload_of(image);
  if (!payload || payload->size() < 4) return fail(Code::kInvalid, "not a bzImage");
  // The last four bytes are the size of what is in it: gzip's own, and to all others the kernel's build appends it.
  const auto size = value_at<std::uint32_t>(*payload, payload->size() - 4);
  const std::size_t appended = is_gzip(*payload) ? 0 : 4;
  TRY_ASSIGN(std::string kernel, decompressed(payload->substr(0, payload->size() - appended)));
  if (kernel.size() != *size) return fail(Code::kInvalid, "the kernel in it is not of the size that it should be");
  if (!has_pvh_entry(kernel)) return fail(Code::kInvalid, "the kernel in it has no PVH entry");
  return kernel;
}

}  // namespace sbx::backends::qemu
