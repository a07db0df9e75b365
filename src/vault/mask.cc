// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/mask.h"

#include <string.h>

#include <algorithm>

namespace sbx::vault {
namespace {

constexpr std::size_t kMostShown = 16;

std::size_t shown_at_most(std::string_view secret) { return std::min(kMostShown, secret.size() / 4); }

// Where the longest end of `text` begins that is a beginning of `secret`, and not all of it.
std::size_t beginning_at(std::string_view text, std::string_view secret) {
  std::size_t at = text.size() - std::min(text.size(), secret.size() - 1);
  for (; at < text.size(); ++at) {
    at = std::min(text.find(secret.front(), at), text.size());
    if (secret.starts_with(text.substr(at))) break;
  }
  return at;
}

}  // namespace

Mask::~Mask() {
  for (std::string& secret : secrets_) ::explicit_bzero(secret.data(), secret.size());
  ::explicit_bzero(window_.data(), window_.size());
}

void Mask::add(std::string_view secret) {
  const bool known = std::ranges::find(secrets_, secret) != secrets_.end();
  if (secret.size() >= kShortest && !known) secrets_.emplace_back(secret);
}

void Mask::overwrite() {
  for (const std::string& secret : secrets_)
    for (auto at = window_.find(secret); at != std::string::npos; at = window_.find(secret, at + secret.size()))
      std::fill_n(window_.begin() + static_cast<std::ptrdiff_t>(at), secret.size(), '*');
}

// From where on the window may be a secret that has not all come: the bytes from there, less what may be shown of them.
std::size_t Mask::kept_back() const {
  std::size_t from = window_.size();
  for (const std::string& secret : secrets_) {
    const std::size_t at = beginning_at(window_, secret);
    const std::size_t shown = window_.size() - at <= shown_at_most(secret) ? window_.size() : at;
    from = std::min(from, std::max(shown, shown_));
  }
  return from;
}

std::string_view Mask::pass(std::string_view bytes) {
  if (secrets_.empty()) return bytes;
  // Of what was shown only the bytes that may begin a secret are needed.
  std::size_t needed = window_.size();
  for (const std::string& secret : secrets_) needed = std::min(needed, beginning_at(window_, secret));
  window_.erase(0, std::min(needed, shown_));
  shown_ -= std::min(needed, shown_);
  window_ += bytes;
  overwrite();
  const std::size_t from = kept_back();
  const std::string_view passed = std::string_view(window_).substr(shown_, from - shown_);
  shown_ = from;
  return passed;
}

std::string_view Mask::rest() {
  const std::string_view left = std::string_view(window_).substr(shown_);
  shown_ = window_.size();
  return left;
}

}  // namespace sbx::vault
