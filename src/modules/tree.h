// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::modules {

// What depmod has written about a kernel's modules, for modprobe and for us. The forms in text are read, because kmod
// keeps writing them, and searched as they are: callers have few questions, and need no index. In names, dashes
// and underscores are the same.
//
//   modules.dep              kernel/fs/erofs/erofs.ko: kernel/lib/libcrc32c.ko
//   modules.builtin          kernel/fs/ext4/ext4.ko
//   modules.builtin.modinfo  crc32c_generic.alias=crc32c, each ended by a zero byte
//   modules.softdep          softdep libcrc32c pre: crc32c
//   modules.alias            alias crc32c crc32c_intel
class Tree {
 public:
  // Of the kernel whose modules are in this directory. Not every kernel has each file; without modules.dep it is an
  // error.
  static Result<Tree> read(const std::string& directory);

  // Whether it is in the kernel itself: a module's name, or an alias.
  bool is_builtin(std::string_view name) const;
  bool has(std::string_view name) const { return is_module(name) || is_builtin(name); }

  // The modules that a name stands for: that module, or all that have it as an alias ("rtnl-link-bridge"). None if it
  // is built in, or unknown.
  std::vector<std::string> named(std::string_view name) const;

  // Puts the file of a module at the end of `order`, after those of all that it needs, relative to the directory. What
  // is built in, or was put into an order before, is left out. What a module says that it would like to have before it
  // (its soft dependencies: libcrc32c's crc32c) comes too, if the kernel has it as a module only.
  void add(std::string_view name, std::vector<std::string>& order);

 private:
  bool is_module(std::string_view name) const { return !line_of(name).empty(); }
  std::string_view line_of(std::string_view name) const;
  std::vector<std::string> liked_before(std::string_view name) const;

  std::string dependencies_;
  std::string builtin_;
  std::string builtin_information_;
  std::string soft_dependencies_;
  std::string aliases_;
  std::set<std::string> added_;
};

// "virtio_blk" for "kernel/drivers/block/virtio-blk.ko.xz".
std::string module_name(std::string_view path);

}  // namespace sbx::modules
