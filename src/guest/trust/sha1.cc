// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust/sha1.h"

#include <endian.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace sbx::guest {
namespace {

constexpr std::size_t kBlock = 64;

using State = std::array<std::uint32_t, 5>;

std::array<std::uint32_t, 80> schedule(const char* block) {
  std::array<std::uint32_t, 80> words{};
  std::memcpy(words.data(), block, kBlock);
  for (std::size_t i = 0; i < 16; ++i) words[i] = be32toh(words[i]);
  for (std::size_t i = 16; i < 80; ++i)
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  return words;
}

std::uint32_t mix(std::size_t round, const State& s) {
  if (round < 20) return ((s[1] & s[2]) | (~s[1] & s[3])) + 0x5a827999;
  if (round < 40) return (s[1] ^ s[2] ^ s[3]) + 0x6ed9eba1;
  if (round < 60) return ((s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])) + 0x8f1bbcdc;
  return (s[1] ^ s[2] ^ s[3]) + 0xca62c1d6;
}

void take(State& state, const char* block) {
  const auto words = schedule(block);
  State s = state;
  for (std::size_t i = 0; i < 80; ++i)
    s = {std::rotl(s[0], 5) + mix(i, s) + s[4] + words[i], s[0], std::rotl(s[1], 30), s[2], s[3]};
  for (std::size_t i = 0; i < s.size(); ++i) state[i] += s[i];
}

}  // namespace

std::string sha1(std::string_view bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::uint64_t bits = htobe64(bytes.size() * 8);
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) take(state, bytes.data());
  std::string rest(bytes);
  rest += '\x80';
  rest.append((kBlock * 2 - sizeof bits - rest.size()) % kBlock, '\0');
  rest.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  for (std::size_t at = 0; at < rest.size(); at += kBlock) take(state, rest.data() + at);
  for (std::uint32_t& word : state) word = htobe32(word);
  return {reinterpret_cast<const char*>(state.data()), sizeof state};
}

}  // namespace sbx::guest
