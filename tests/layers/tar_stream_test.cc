// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/tar_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "digest/sha256.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::layers {
namespace {

std::string rest_of(TarStream& stream) {
  std::string all;
  for (;;) {
    const auto part = stream.read();
    EXPECT_TRUE(part) << part.error().what();
    if (!part || part->empty()) return all;
    all.append(part->data(), part->size());
  }
}

TEST(TarStreamTest, AFileAndAPipeGiveTheSameBytesAndDigest) {
  const std::string text = "plain bytes, of no format";
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file(directory / "file", "before" + text));
  const Fd file = *open_path(directory / "file", O_RDONLY);
  ASSERT_EQ(::lseek(file.get(), 6, SEEK_SET), 6);
  const auto of_file = *TarStream::open(file.get());
  Pipe pipe = std::move(*make_pipe());
  ASSERT_TRUE(write_all(pipe.write, text));
  pipe.write.reset();
  const auto of_pipe = *TarStream::open(pipe.read.get());
  EXPECT_EQ(rest_of(*of_file), text);
  EXPECT_EQ(rest_of(*of_pipe), text);
  EXPECT_EQ(of_file->blob_bytes(), of_pipe->blob_bytes());
  const std::string diff_id = of_file->diff_id();
  EXPECT_EQ(diff_id, "sha256:" + digest::sha256_of(text));
  EXPECT_EQ(of_pipe->diff_id(), diff_id);
}

TEST(TarStreamTest, PassesOverBytesOfAFileButNotBeyondItsEnd) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file(directory / "file", std::string(1 << 20, 'a') + "end"));
  const Fd file = *open_path(directory / "file", O_RDONLY);
  const auto stream = *TarStream::open(file.get());
  EXPECT_EQ(stream->skip((1 << 20) + 4), 0);
  EXPECT_EQ(stream->skip(1 << 20), 1 << 20);
  EXPECT_EQ(stream->bytes(), 1 << 20);
  EXPECT_EQ(rest_of(*stream), "end");
  EXPECT_EQ(stream->skip(1), 0);
}

TEST(TarStreamTest, PassesOverNothingOfWhatIsCompressedOrCannotSeek) {
  const Fd file = *open_path(testing::source_file("tests/fuzz/corpus/layer/tree.zst"), O_RDONLY);
  EXPECT_EQ((*TarStream::open(file.get()))->skip(10), 0);
  Pipe pipe = std::move(*make_pipe());
  ASSERT_TRUE(write_all(pipe.write, "0123456789"));
  pipe.write.reset();
  EXPECT_EQ((*TarStream::open(pipe.read.get()))->skip(5), 0);
}

}  // namespace
}  // namespace sbx::layers
