// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/transcript.h"

#include <algorithm>

#include "agentloop/promise.h"
#include "base/json.h"

namespace sbx::agentloop {
namespace {

constexpr std::size_t kLongestLine = 4u << 20;
constexpr std::size_t kLongestTail = 256u << 10;
constexpr std::size_t kLongestDetail = 200;

const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string text_member(const Json& object, const char* name) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : "";
}

// What a call of a tool is about, in a line: its command, its file, or nothing.
std::string detail_of(const Json& input) {
  const Json& questions = member(input, "questions");
  if (questions.is_array() && !questions.empty()) return detail_of(questions.front());
  for (const char* name : {"command", "file_path", "path", "pattern", "description", "question"})
    if (const std::string text = text_member(input, name); !text.empty())
      return ": " + text.substr(0, std::min(text.find('\n'), kLongestDetail));
  return "";
}

}  // namespace

std::string Transcript::take(std::string_view bytes) {
  remember(bytes);
  if (dialect_ == Dialect::kText) return std::string(bytes);
  std::string shown;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line_.size() + piece.size() > kLongestLine) overlong_ = true;
    if (!overlong_) line_ += piece;
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (end != std::string_view::npos) shown += finish();
  }
  return shown;
}

std::string Transcript::finish() {
  std::string shown = overlong_ || line_.empty() ? "" : take_line(line_);
  line_.clear();
  overlong_ = false;
  return shown;
}

std::string Transcript::words() const { return without_echo(without_colours(understood_ ? said_ : tail_), prompt_); }

std::string Transcript::take_line(std::string_view line) {
  const auto event = parse_json(line);
  if (!event || !event->is_object()) return std::string(line) + "\n";
  return dialect_ == Dialect::kClaude ? take_claude(*event) : take_codex(*event);
}

// Messages of helpers that the agent has started name the call that started them; they are not its own words.
std::string Transcript::take_claude(const Json& event) {
  const std::string type = text_member(event, "type");
  if (type.empty()) return "";
  understood_ = true;
  if (type == "result") {
    const bool failed = member(event, "is_error").is_boolean() && member(event, "is_error").get<bool>();
    const std::string result = text_member(event, "result");
    if (failed) said_.clear();
    if (!failed && !result.empty()) said_ = result;
    return failed ? "failed: " + result + "\n" : "";
  }
  if (type != "assistant") return "";
  const bool is_helper = member(event, "parent_tool_use_id").is_string();
  std::string shown;
  for (const Json& part : member(member(event, "message"), "content")) {
    const std::string text = text_member(part, "text");
    if (text_member(part, "type") == "tool_use")
      shown += "· " + text_member(part, "name") + detail_of(member(part, "input")) + "\n";
    if (text_member(part, "type") != "text" || text.empty()) continue;
    if (!is_helper) said_ = text;
    shown += text + "\n";
  }
  return shown;
}

std::string Transcript::take_codex(const Json& event) {
  if (text_member(event, "type").empty()) return "";
  understood_ = true;
  const Json& item = member(event, "item");
  if (text_member(event, "type") != "item.completed") return "";
  const std::string type = text_member(item, "type");
  if (type == "command_execution") return "· " + text_member(item, "command") + "\n";
  if (type != "agent_message") return "";
  said_ = text_member(item, "text");
  return said_ + "\n";
}

// Twice the size before it is cut, so that not every byte moves all of it.
void Transcript::remember(std::string_view bytes) {
  if (bytes.size() > kLongestTail) bytes.remove_prefix(bytes.size() - kLongestTail);
  tail_ += bytes;
  if (tail_.size() > 2 * kLongestTail) tail_.erase(0, tail_.size() - kLongestTail);
}

}  // namespace sbx::agentloop
