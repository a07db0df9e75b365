// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/child.h"
#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::testing {

// What the program makes of the bytes, as a file on its standard input.
inline std::string filtered(const std::vector<std::string>& argv, std::string_view bytes) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(write_file(directory / "in", bytes));
  const auto in = open_path(directory / "in", O_RDONLY);
  Command command;
  command.argv = argv;
  command.stdin_fd = in->get();
  const auto output = run(command);
  if (!output || output->exit.code != 0) {
    ADD_FAILURE() << argv.front() << ": " << (output ? output->err : output.error().what());
    return "";
  }
  return output->out;
}

template <class T>
std::string bytes_of(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// An ELF file of a processor with one note of this name and type, and something to compress.
inline std::string sample_elf(std::string_view note_name = "Xen", std::uint32_t note_type = 18) {
  const Elf64_Nhdr note{static_cast<std::uint32_t>(note_name.size() + 1), 8, note_type};
  std::string notes = bytes_of(note) + std::string(note_name) + '\0';
  notes.resize((notes.size() + 3) / 4 * 4);
  notes += bytes_of(std::uint64_t{0x1000000});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_X86_64;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = notes.size();
  return bytes_of(header) + bytes_of(segment) + notes + std::string(100'000, 'k');
}

// A bzImage of that release whose payload, at an odd place, is this.
inline std::string sample_bzimage(std::string_view payload, std::string_view release = "6.1.0-9-cloud-amd64") {
  constexpr std::uint8_t kSectors = 3;
  constexpr std::uint32_t kOffset = 77;
  const std::size_t start = (kSectors + 1) * 512 + kOffset;
  std::string image(start, '\0');
  const auto put = [&](std::size_t at, std::string_view bytes) { image.replace(at, bytes.size(), bytes); };
  put(0x1f1, bytes_of(kSectors));
  put(0x202, "HdrS");
  put(0x206, bytes_of(std::uint16_t{0x020f}));
  put(0x20e, bytes_of(std::uint16_t{0x300}));
  put(0x248, bytes_of(kOffset));
  put(0x24c, bytes_of(static_cast<std::uint32_t>(payload.size())));
  put(0x500, std::string(release) + " (somebody) #1 SMP");
  return image + std::string(payload) + "what the firmware would read";
}

// As the kernel's build does it for all but gzip.
inline std::string with_size(std::string compressed, std::size_t size) {
  return std::move(compressed) + bytes_of(static_cast<std::uint32_t>(size));
}

}  // namespace sbx::testing
