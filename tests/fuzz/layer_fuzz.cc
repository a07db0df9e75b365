// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/fd.h"
#include "base/file.h"
#include "layers/documents.h"
#include "layers/tar_stream.h"
#include "layers/unpack.h"

namespace {

// In memory, because an input is a whole tree. What is unpacked lies in <world>/root.
std::string make_world() {
  std::string directory = "/dev/shm/layer_fuzz.XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) std::abort();
  return directory;
}

sbx::Fd input_of(const std::uint8_t* data, std::size_t size) {
  sbx::Fd file(::memfd_create("layer", MFD_CLOEXEC));
  if (!sbx::write_all(file, {reinterpret_cast<const char*>(data), size})) std::abort();
  return file;
}

// From its beginning: the descriptors of one memfd share their position.
auto stream_of(const sbx::Fd& file) {
  if (::lseek(file.get(), 0, SEEK_SET) != 0) std::abort();
  return sbx::layers::TarStream::open(file.get());
}

}  // namespace

// A layer of a stranger's, unpacked, and looked into as an archive to load. Whatever it is, nothing appears beside the
// directory that it is unpacked to.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const layers::UnpackLimits limits{.bytes = 1 << 20, .entries = 200, .archive = 4 << 20};
  const std::string world = make_world();
  const std::string root = world + "/root";
  const Fd file = input_of(data, size);
  if (!make_directories(root, 0755) || ::chdir(root.c_str()) != 0) std::abort();
  if (const auto stream = stream_of(file)) {
    const auto unpacked = layers::unpack(**stream, layers::kOpaqueOfRoot, limits, {});
    if (unpacked && unpacked->entries > limits.entries) std::abort();
  }
  if (::chdir("/") != 0 || names_in(world).size() != 1 || !remove_tree(world)) std::abort();
  if (const auto stream = stream_of(file)) (void)layers::documents_in(**stream, limits.archive);
  return 0;
}
