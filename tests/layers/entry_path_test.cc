// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/entry_path.h"

#include <gtest/gtest.h>

namespace sbx::layers {
namespace {

std::string path_of(std::string_view name) { return relative_path(name).value_or("refused"); }

TEST(EntryPath, IsRelativeToTheLayer) {
  EXPECT_EQ(path_of("./usr//bin/"), "usr/bin");
  EXPECT_EQ(path_of("a"), "a");
  EXPECT_EQ(path_of("."), "");
  EXPECT_EQ(path_of("./"), "");
  EXPECT_EQ(path_of("..a/b.."), "..a/b..");
}

TEST(EntryPath, IsRefusedIfItLeadsOut) {
  for (const char* name : {"/etc/passwd", "../x", "a/../../x", "a/..", "//x"})
    EXPECT_FALSE(relative_path(name)) << name;
  EXPECT_FALSE(relative_path(std::string(256, 'a')));
  EXPECT_FALSE(relative_path(std::string_view("a\0b", 3)));
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "d/";
  EXPECT_FALSE(relative_path(deep));
}

TEST(EntryPath, ReadsWhiteouts) {
  EXPECT_EQ(entry_path("usr/.wh.bin")->whiteout, Whiteout::kRemoved);
  EXPECT_EQ(entry_path("usr/.wh.bin")->path, "usr/bin");
  EXPECT_EQ(entry_path(".wh.bin")->path, "bin");
  EXPECT_EQ(entry_path("usr/.wh..wh..opq")->whiteout, Whiteout::kOpaque);
  EXPECT_EQ(entry_path("usr/.wh..wh..opq")->path, "usr");
  EXPECT_EQ(entry_path(".wh..wh.plnk/1")->whiteout, Whiteout::kNone);
  EXPECT_EQ(entry_path(".wh..wh.plnk")->whiteout, Whiteout::kMetadata);
  EXPECT_EQ(entry_path("usr/x.wh.y")->whiteout, Whiteout::kNone);
  for (const char* name : {".wh.", "a/.wh..", "a/.wh..."}) EXPECT_FALSE(entry_path(name)) << name;
}

}  // namespace
}  // namespace sbx::layers
