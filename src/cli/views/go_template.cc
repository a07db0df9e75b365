// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/go_template.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"

namespace sbx::cli {

// Words of one pipeline, split at |.
using Pipeline = std::vector<std::vector<std::string>>;

struct GoTemplate::Node {
  enum class Kind { kText, kValue, kRange, kIf } kind = Kind::kText;
  std::string text;
  Pipeline pipeline;
  std::vector<Node> body;
  std::vector<Node> otherwise;
};

namespace {

using Node = GoTemplate::Node;

Failure bad(const std::string& why) { return fail(Code::kInvalid, "--format: " + why); }

// Words, "strings" and | of an action.
Result<Pipeline> parse_pipeline(std::string_view text) {
  Pipeline pipeline(1);
  while (!(text = trimmed(text)).empty()) {
    if (text.front() == '|') {
      pipeline.emplace_back();
      text.remove_prefix(1);
      continue;
    }
    std::size_t end = 0;
    if (text.front() == '"') {
      end = text.find('"', 1);
      if (end == std::string_view::npos) return bad("a string without its end in {{" + std::string(text) + "}}");
      ++end;
    } else {
      end = std::min(text.find_first_of(" \t\n|\""), text.size());
    }
    pipeline.back().emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  for (const auto& command : pipeline)
    if (command.empty()) return bad("an action without a value");
  return pipeline;
}

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view text) : rest_(text) {}

  Result<std::vector<Node>> run() {
    std::string ended_by;
    TRY_ASSIGN(auto nodes, parse_until(ended_by));
    if (!ended_by.empty()) return bad("unexpected {{" + ended_by + "}}");
    return nodes;
  }

 private:
  // Up to {{end}}, {{else}} or the end of the text, which leaves `ended_by` empty.
  Result<std::vector<Node>> parse_until(std::string& ended_by) {
    std::vector<Node> nodes;
    ended_by.clear();
    for (;;) {
      add_text(nodes);
      if (rest_.empty()) return nodes;
      TRY_ASSIGN(const std::string action, take_action());
      if (action == "end" || action == "else") {
        ended_by = action;
        return nodes;
      }
      TRY_ASSIGN(Node node, parse_action(action));
      nodes.push_back(std::move(node));
    }
  }

  void add_text(std::vector<Node>& nodes) {
    const std::size_t begin = std::min(rest_.find("{{"), rest_.size());
    std::string_view text = rest_.substr(0, begin);
    rest_.remove_prefix(begin);
    if (trim_next_) text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    trim_next_ = false;
    if (rest_.starts_with("{{- ")) text = text.substr(0, text.find_last_not_of(" \t\n") + 1);
    if (!text.empty()) nodes.push_back({Node::Kind::kText, std::string(text), {}, {}, {}});
  }

  Result<std::string> take_action() {
    const std::size_t end = rest_.find("}}");
    if (end == std::string_view::npos) return bad("{{ without }}");
    std::string_view action = rest_.substr(2, end - 2);
    rest_.remove_prefix(end + 2);
    if (action.starts_with("- ")) action.remove_prefix(1);
    trim_next_ = action.ends_with(" -");
    if (trim_next_) action.remove_suffix(1);
    return std::string(trimmed(action));
  }

  Result<Node> parse_action(const std::string& action) {
    Node node;
    node.kind = action.starts_with("range ") ? Node::Kind::kRange
                : action.starts_with("if ")  ? Node::Kind::kIf
                                             : Node::Kind::kValue;
    const std::size_t keyword = node.kind == Node::Kind::kValue ? 0 : action.find(' ');
    TRY_ASSIGN(node.pipeline, parse_pipeline(std::string_view(action).substr(keyword)));
    if (node.kind == Node::Kind::kValue) return node;
    std::string ended_by;
    TRY_ASSIGN(node.body, parse_until(ended_by));
    if (ended_by == "else") {
      TRY_ASSIGN(node.otherwise, parse_until(ended_by));
    }
    if (ended_by != "end") return bad("{{" + action + "}} without {{end}}");
    return node;
  }

  std::string_view rest_;
  bool trim_next_ = false;
};

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// created_at → CreatedAt, id → ID: as a Go programmer would call it.
std::string go_name(std::string_view key) {
  std::string out;
  for (const std::string& word : split(key, '_')) {
    if (word == "id" || word == "ip") {
      out += word == "id" ? "ID" : "IP";
      continue;
    }
    if (!word.empty()) out += static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    if (!word.empty()) out += word.substr(1);
  }
  return out;
}

Failure unknown_field(const Json& value, const std::string& name) {
  if (!value.is_object()) return bad("." + name + " of something that has no fields");
  std::vector<std::string> known;
  for (const auto& [key, unused] : value.items()) known.push_back("." + go_name(key));
  return bad("unknown field ." + name + " (known: " + join(known, ", ") + ")");
}

Result<Json> field_of(const Json& value, const std::string& name) {
  if (value.is_object()) {
    if (const auto exact = value.find(name); exact != value.end()) return *exact;
    for (const auto& [key, member] : value.items())
      if (folded(key) == folded(name)) return member;
  }
  return unknown_field(value, name);
}

Result<Json> at_path(const Json& value, std::string_view path) {
  Json current = value;
  path.remove_prefix(1);
  if (path.empty()) return current;
  for (const std::string& name : split(path, '.')) {
    TRY_ASSIGN(Json next, field_of(current, name));
    current = std::move(next);
  }
  return current;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "<no value>";
  if (!value.is_array()) return dump(value);
  std::vector<std::string> parts;
  for (const auto& item : value) parts.push_back(text_of(item));
  return "[" + join(parts, " ") + "]";
}

std::string mapped(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

Result<Json> join_function(const std::vector<Json>& arguments) {
  std::vector<std::string> parts;
  if (!arguments[0].is_array()) return bad("join wants a list");
  for (const auto& item : arguments[0]) parts.push_back(text_of(item));
  return Json(join(parts, text_of(arguments[1])));
}

Result<Json> index_function(const std::vector<Json>& arguments) {
  const Json& key = arguments[1];
  if (arguments[0].is_object() && key.is_string())
    return arguments[0].contains(key.get<std::string>()) ? arguments[0].at(key.get<std::string>()) : Json("");
  if (arguments[0].is_array() && key.is_number_integer()) {
    const auto at = key.get<std::int64_t>();
    if (at >= 0 && at < static_cast<std::int64_t>(arguments[0].size()))
      return arguments[0][static_cast<std::size_t>(at)];
    return bad("index out of range: " + std::to_string(at));
  }
  return bad("index wants a list and a number, or an object and a string");
}

struct Function {
  std::string_view name;
  std::size_t arguments;
  Result<Json> (*call)(const std::vector<Json>& arguments);
};

constexpr Function kFunctions[] = {
    {"json", 1, [](const std::vector<Json>& a) -> Result<Json> { return Json(dump(a[0])); }},
    {"join", 2, join_function},
    {"upper", 1, [](const std::vector<Json>& a) -> Result<Json> { return Json(mapped(text_of(a[0]), std::toupper)); }},
    {"lower", 1, [](const std::vector<Json>& a) -> Result<Json> { return Json(mapped(text_of(a[0]), std::tolower)); }},
    {"len", 1,
     [](const std::vector<Json>& a) -> Result<Json> {
       return Json(a[0].is_string() ? a[0].get_ref<const std::string&>().size() : a[0].size());
     }},
    {"index", 2, index_function},
};

Result<Json> evaluate_word(const std::string& word, const Json& value) {
  if (word.starts_with('.')) return at_path(value, word);
  if (word.starts_with('"')) return Json(word.substr(1, word.size() - 2));
  if (const auto number = parse_integer(word)) return Json(*number);
  return bad("unknown function \"" + word + "\" (known: json, join, upper, lower, len, index)");
}

Result<Json> evaluate_command(const std::vector<std::string>& command, const Json& value, const Json* piped) {
  const auto* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                      [&](const Function& f) { return f.name == command.front(); });
  if (function == std::end(kFunctions)) {
    if (command.size() > 1 || piped != nullptr) return bad("\"" + command.front() + "\" is not a function");
    return evaluate_word(command.front(), value);
  }
  std::vector<Json> arguments;
  for (std::size_t i = 1; i < command.size(); ++i) {
    TRY_ASSIGN(Json argument, evaluate_word(command[i], value));
    arguments.push_back(std::move(argument));
  }
  if (piped != nullptr) arguments.push_back(*piped);
  if (arguments.size() != function->arguments)
    return bad(command.front() + " wants " + std::to_string(function->arguments) + " arguments");
  return function->call(arguments);
}

Result<Json> evaluate(const Pipeline& pipeline, const Json& value) {
  TRY_ASSIGN(Json result, evaluate_command(pipeline.front(), value, nullptr));
  for (std::size_t i = 1; i < pipeline.size(); ++i) {
    TRY_ASSIGN(Json next, evaluate_command(pipeline[i], value, &result));
    result = std::move(next);
  }
  return result;
}

bool is_true(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

Result<> write_nodes(const std::vector<Node>& nodes, const Json& value, std::string& out) {
  for (const Node& node : nodes) {
    if (node.kind == Node::Kind::kText) {
      out += node.text;
      continue;
    }
    TRY_ASSIGN(const Json result, evaluate(node.pipeline, value));
    if (node.kind == Node::Kind::kValue) out += text_of(result);
    if (node.kind == Node::Kind::kIf) TRY(write_nodes(is_true(result) ? node.body : node.otherwise, value, out));
    if (node.kind != Node::Kind::kRange) continue;
    for (const auto& item : result) TRY(write_nodes(node.body, item, out));
    if (result.empty()) TRY(write_nodes(node.otherwise, value, out));
  }
  return Ok{};
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 't' || text[i + 1] == 'n');
    out += !escape ? text[i] : text[i + 1] == 't' ? '\t' : '\n';
    if (escape) ++i;
  }
  return out;
}

// A value whose every field is its own heading.
Json headings_of(const Json& value) {
  Json headings = Json::object();
  for (const auto& [key, unused] : value.items()) {
    std::string heading = key;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    headings[key] = mapped(heading, std::toupper);
  }
  return headings;
}

Result<std::string> format_table(const GoTemplate& line, const std::vector<Json>& values) {
  std::vector<std::vector<std::string>> rows;
  if (values.empty()) return std::string();
  std::vector<Json> lines{headings_of(values.front())};
  lines.insert(lines.end(), values.begin(), values.end());
  for (const Json& value : lines) {
    TRY_ASSIGN(const std::string text, line.execute(value));
    rows.push_back(split(text, '\t'));
  }
  return columns(rows);
}

}  // namespace

GoTemplate::GoTemplate(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
GoTemplate::GoTemplate(GoTemplate&&) noexcept = default;
GoTemplate& GoTemplate::operator=(GoTemplate&&) noexcept = default;
GoTemplate::~GoTemplate() = default;

Result<GoTemplate> GoTemplate::parse(std::string_view text) {
  TRY_ASSIGN(std::vector<Node> nodes, TemplateParser(text).run());
  return GoTemplate(std::move(nodes));
}

Result<std::string> GoTemplate::execute(const Json& value) const {
  std::string out;
  TRY(write_nodes(nodes_, value, out));
  return out;
}

Result<std::string> format_values(std::string_view format, const std::vector<Json>& values) {
  const bool table = format.starts_with("table ");
  TRY_ASSIGN(const GoTemplate line, GoTemplate::parse(unescaped(table ? format.substr(6) : format)));
  if (table) return format_table(line, values);
  std::string out;
  for (const Json& value : values) {
    TRY_ASSIGN(const std::string text, line.execute(value));
    out += text + "\n";
  }
  return out;
}

Result<> print_values(const Fd& out, std::string_view format, std::vector<Json> values) {
  if (is_terminal(out))
    for (Json& value : values) value = printable_texts(value);
  TRY_ASSIGN(const std::string text, format_values(format, values));
  print(text);
  return Ok{};
}

}  // namespace sbx::cli
