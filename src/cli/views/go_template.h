// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"

namespace sbx::cli {

// The part of Go's text/template that docker's users write after --format:
//   {{.Name}}  {{.Limits.Memory}}  {{json .}}  {{join .Workspaces ", "}}  {{.Status | upper}}  {{index .Labels "k"}}
//   {{range .Workspaces}}{{.}} {{end}}  {{if .Reason}}...{{else}}...{{end}}
// with the functions json, join, upper, lower, len, index, and trim markers ({{- -}}). A field is found by its Go name
// or by the name it has in the JSON: .CreatedAt is created_at. A field that is not there is an error which names those
// that are.
class GoTemplate {
 public:
  static Result<GoTemplate> parse(std::string_view text);
  Result<std::string> execute(const Json& value) const;

  GoTemplate(GoTemplate&&) noexcept;
  GoTemplate& operator=(GoTemplate&&) noexcept;
  ~GoTemplate();

  struct Node;

 private:
  explicit GoTemplate(std::vector<Node> nodes);
  std::vector<Node> nodes_;
};

// What --format does: the template once per value, a line each. `table TEMPLATE` adds a line of headings and aligns at
// the tabs. \t and \n in the text mean a tab and a new line.
Result<std::string> format_values(std::string_view format, const std::vector<Json>& values);
// Prints it to standard output, which is `out`. On a terminal the texts in the values are shown by printable().
Result<> print_values(const Fd& out, std::string_view format, std::vector<Json> values);

}  // namespace sbx::cli
