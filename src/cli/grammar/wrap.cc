// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/wrap.h"

#include "base/text.h"

namespace sbx::cli {

std::string wrapped(std::string_view text, std::size_t at, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = at;
  bool begins_line = true;
  std::string all(text);
  for (char& c : all)
    if (c == '\n') c = ' ';
  for (const std::string& word : split(all, ' ')) {
    if (word.empty()) continue;
    if (!begins_line && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      begins_line = true;
    }
    if (!begins_line) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    begins_line = false;
  }
  return out;
}

std::string wrapped_paragraphs(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    out += (out.empty() ? "" : "\n\n") + wrapped(text.substr(0, end), 0, 0, width);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return out;
}

}  // namespace sbx::cli
