// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"

// The channel between the shim and sandbox-init, and the stream between a client and the shim after an upgrade, are
// sequences of frames: a header of 12 bytes, then `length` bytes of payload.
//
//   0        4        8      9             12
//   | length | stream | kind | zero (3)    | payload ...          all little endian
//
// Stream 0 is about the guest as a whole. Every other stream is one exec or one network connection. Its opener
// picks the number and never reuses one: the host below kFirstGuestStream, the guest from there on. On a client's
// connection there is only one stream, and its number is 1.
//
// Flow control: the sender of kData, kOut and kErr may have kWindow bytes (of a connection: kConnectionWindow) on their
// way per stream and direction (kOut and kErr share one). The receiver gives back what it has passed on with kCredit.
// On a client's connection the socket itself does this, and there is no kCredit.
//
// A connection is over when both sides have sent kEnd, or one of them kReset; frames that cross a kReset are ignored.
namespace sbx::wire {

inline constexpr std::size_t kHeaderSize = 12;
inline constexpr std::uint32_t kLargestPayload = 256u << 10;
inline constexpr std::uint32_t kWindow = 1u << 20;
inline constexpr std::uint32_t kConnectionWindow = 256u << 10;
inline constexpr std::uint32_t kControlStream = 0;
inline constexpr std::uint32_t kFirstGuestStream = 0x8000'0000;
inline constexpr std::uint32_t kClientStream = 1;

enum class Kind : std::uint8_t {
  // stream 0
  kHello = 1,      // guest → host, JSON GuestHello: init is up and waits for its identity
  kConfigure = 2,  // host → guest, JSON GuestConfig: who you are, what to mount
  kReady = 3,      // guest → host, JSON GuestReady: exec works from now on
  kStop = 4,       // host → guest, JSON GuestStop: TERM everybody, wait, KILL, then exit or power off
  kFailed = 5,     // guest → host, JSON GuestFailed: init cannot go on; it exits after this
  kLog = 6,        // guest → host, text: one line for the log
  kClock = 7,      // host → guest, JSON GuestClock: the host's wall clock was set, or the host has slept
  // one exec
  kOpen = 16,    // host → guest, JSON ExecRequest
  kOpened = 17,  // guest → host, JSON ExecOpened: the program runs
  kData = 18,    // host → guest: bytes for stdin. Of a connection, both ways
  kEnd = 19,     // host → guest: stdin ends. Of a connection, both ways: nothing more is sent
  kOut = 20,     // guest → host: bytes of stdout, or of the terminal
  kErr = 21,     // guest → host: bytes of stderr
  kExit = 22,    // guest → host, JSON ExecExit; the last frame of a stream
  kResize = 23,  // host → guest: u16 rows, u16 columns
  kSignal = 24,  // host → guest: u8 signal number, to the process group
  kCredit = 25,  // both ways: u32 bytes that may be sent in addition
  kGone = 26,    // host → guest: the client has gone; output is thrown away from here on
  // a session (wire/session.h), from the shim to its client only
  kPosition = 27,  // JSON OutputPosition: which output comes next
  // one connection
  kConnect = 32,  // guest → host, JSON Connect: a program wants to reach this
  kAccept = 33,   // host → guest, JSON Accept: a client has connected to a published port
  kReset = 34,    // both ways: the connection is over
};

struct Header {
  std::uint32_t length = 0;
  std::uint32_t stream = 0;
  Kind kind{};
};

// Refuses an unknown kind, a payload over kLargestPayload and reserved bytes that are not zero.
Result<Header> decode_header(std::span<const char, kHeaderSize> bytes);
std::array<char, kHeaderSize> encode(const Header& header);

std::array<char, 4> encode_u32(std::uint32_t value);
std::optional<std::uint32_t> decode_u32(std::string_view payload);  // exactly 4 bytes

struct WindowSize {
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
};
std::array<char, 4> encode(WindowSize size);
std::optional<WindowSize> decode_window_size(std::string_view payload);

}  // namespace sbx::wire
