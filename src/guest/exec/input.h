// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"
#include "wire/frame.h"

namespace sbx::guest {

// What is on its way to a program's standard input. Bytes that the program does not take yet are kept, one window at
// most, and the sender gets credit for them when they are written. A program that has closed its input takes everything
// and nothing: the bytes are dropped, and credit is given as if it had read them.
class Input {
 public:
  using OnWritten = std::function<void(std::size_t bytes)>;

  // Without a descriptor it drops everything.
  Input(loop::Loop& loop, Fd fd, OnWritten on_written);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // An error when the sender goes beyond its window.
  Result<> take(std::string_view bytes);
  // Close it once everything has been written.
  void finish();

 private:
  std::size_t write_some(std::string_view bytes);
  void flush();
  void close();

  loop::Loop& loop_;
  Fd fd_;
  OnWritten on_written_;
  std::string waiting_;
  std::size_t begin_ = 0;  // of what is waiting
  bool finishing_ = false;
};

}  // namespace sbx::guest
