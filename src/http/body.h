// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "http/fields.h"

namespace sbx::http {

// Finds the bytes of a body in the bytes of a connection. Keeps none of them: data is a view into what it was given.
class BodyDecoder {
 public:
  static BodyDecoder none() { return BodyDecoder(Form::kLength, 0); }
  static BodyDecoder of_length(std::uint64_t bytes) { return BodyDecoder(Form::kLength, bytes); }
  static BodyDecoder until_close() { return BodyDecoder(Form::kUntilClose, 0); }
  // Refused: sizes that are not plain hexadecimal, lines without CRLF, trailers of more than a head's size, and
  // trailers that say where a message ends or goes. Extensions are read over.
  static BodyDecoder chunked() { return BodyDecoder(Form::kChunkSize, 0); }

  struct Step {
    std::size_t consumed = 0;  // 0: it needs more bytes, or is done
    std::string_view data;
  };
  Result<Step> step(std::string_view bytes);

  bool done() const { return form_ == Form::kDone; }
  bool ends_by_close() const { return form_ == Form::kUntilClose; }
  const Headers& trailers() const { return trailers_; }

 private:
  enum class Form { kLength, kUntilClose, kChunkSize, kChunkData, kChunkEnd, kTrailers, kDone };

  BodyDecoder(Form form, std::uint64_t left)
      : form_(form == Form::kLength && left == 0 ? Form::kDone : form), left_(left) {}
  Step data(std::string_view bytes, Form after);
  Result<Step> chunk_size(std::string_view bytes);
  Result<Step> chunk_end(std::string_view bytes);
  Result<Step> trailer_lines(std::string_view bytes);

  Form form_;
  std::uint64_t left_;
  Headers trailers_;
};

// One chunk of a chunked body, and the end of one.
std::string chunk(std::string_view data);
std::string last_chunk(const Headers& trailers);

}  // namespace sbx::http
