// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct evp_md_ctx_st;

namespace sbx::digest {

// SHA-256 of a stream, bit by bit.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  std::string finish();  // 64 hexadecimal digits; the object is used up

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_of(std::string_view bytes);
Result<std::string> sha256_of_file(const std::string& path);

}  // namespace sbx::digest
