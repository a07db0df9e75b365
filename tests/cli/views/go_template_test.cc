// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/go_template.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

const Json& sample() {
  static const Json value = {{"name", "box"},
                             {"status", "running"},
                             {"id", "x1"},
                             {"created_at", "2026-11-15"},
                             {"workspaces", {"/a", "/b:ro"}},
                             {"limits", {{"memory", 1024}, {"cpus", 1.5}}},
                             {"labels", {{"com.docker.sandbox.agent", "shell"}}},
                             {"reason", ""},
                             {"missing", false}};
  return value;
}

struct TemplateCase {
  const char* format;
  const char* expected;
};

class GoTemplateText : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(GoTemplateText, Becomes) {
  const auto text = format_values(GetParam().format, {sample()});
  ASSERT_TRUE(text) << text.error().what();
  EXPECT_EQ(*text, std::string(GetParam().expected) + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GoTemplateText,
    ::testing::Values(
        TemplateCase{"{{.Name}}", "box"}, TemplateCase{"{{ .Name }} {{.Status}}", "box running"},
        TemplateCase{"{{.name}}", "box"}, TemplateCase{"{{.ID}}", "x1"}, TemplateCase{"{{.CreatedAt}}", "2026-11-15"},
        TemplateCase{"{{.created_at}}", "2026-11-15"}, TemplateCase{"{{.Limits.Memory}} {{.Limits.CPUs}}", "1024 1.5"},
        TemplateCase{"{{.Workspaces}}", "[/a /b:ro]"}, TemplateCase{"{{json .Workspaces}}", R"(["/a","/b:ro"])"},
        TemplateCase{"{{json .Name}}", R"("box")"}, TemplateCase{"{{json .Limits}}", R"({"memory":1024,"cpus":1.5})"},
        TemplateCase{"{{join .Workspaces \", \"}}", "/a, /b:ro"}, TemplateCase{"{{.Name | upper}}", "BOX"},
        TemplateCase{"{{upper .Name | lower}}", "box"}, TemplateCase{"{{len .Workspaces}}", "2"},
        TemplateCase{"{{index .Workspaces 1}}", "/b:ro"},
        TemplateCase{"{{index .Labels \"com.docker.sandbox.agent\"}}", "shell"},
        TemplateCase{"{{range .Workspaces}}<{{.}}>{{end}}", "</a></b:ro>"},
        TemplateCase{"{{if .Reason}}why{{else}}fine{{end}}", "fine"}, TemplateCase{"{{if .Name}}yes{{end}}", "yes"},
        TemplateCase{"{{if .Missing}}gone{{end}}", ""}, TemplateCase{"a\\t{{.Name}}\\nb", "a\tbox\nb"},
        TemplateCase{"x {{- .Name -}} y", "xboxy"}, TemplateCase{"no actions", "no actions"}));

struct Refusal {
  const char* format;
  const char* why;
};

class GoTemplateRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(GoTemplateRefusal, SaysWhy) {
  const auto text = format_values(GetParam().format, {sample()});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), Code::kInvalid);
  EXPECT_NE(text.error().what().find(GetParam().why), std::string::npos) << text.error().what();
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GoTemplateRefusal,
    ::testing::Values(Refusal{"{{.Foo}}", "unknown field .Foo (known: .Name, .Status, .ID, .CreatedAt"},
                      Refusal{"{{.Name.Foo}}", "no fields"}, Refusal{"{{.Name", "{{ without }}"},
                      Refusal{"{{}}", "without a value"}, Refusal{"{{foo .Name}}", "not a function"},
                      Refusal{"{{foo}}", "unknown function \"foo\""},
                      Refusal{"{{range .Workspaces}}", "without {{end}}"}, Refusal{"{{end}}", "unexpected {{end}}"},
                      Refusal{"{{join .Name}}", "wants 2 arguments"},
                      Refusal{"{{index .Workspaces 9}}", "out of range"}, Refusal{"{{json \"x}}", "without its end"}));

TEST(GoTemplate, ATableHasHeadingsAndColumns) {
  Json second = sample();
  second["name"] = "a-longer-name";
  const auto text = format_values("table {{.Name}}\\t{{.Status}}\\t{{.CreatedAt}}", {sample(), second});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "NAME            STATUS    CREATED AT\n"
            "box             running   2026-11-15\n"
            "a-longer-name   running   2026-11-15\n");
}

TEST(GoTemplate, NoValuesMakeNoLines) {
  EXPECT_EQ(*format_values("{{.Name}}", {}), "");
  EXPECT_EQ(*format_values("table {{.Name}}", {}), "");
}

}  // namespace
}  // namespace sbx::cli
