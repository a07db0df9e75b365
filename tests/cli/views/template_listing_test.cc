// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/template_listing.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

const WallTime kLater = WallTime(std::chrono::seconds(1'763'000'000));  // 2025-11-13T02:13:20Z

wire::TemplateDetails listed_template() {
  wire::TemplateDetails details;
  details.digest = "sha256:0123456789abcdef";
  details.names = {"localhost:5000/org/box", "box:1"};
  details.created_at = "2025-11-11T02:00:00Z";
  details.bytes = 77'800'000;
  details.used_by = {"one", "two"};
  return details;
}

TEST(TemplateListing, HasALineForEachName) {
  wire::TemplateDetails unnamed = listed_template();
  unnamed.names.clear();
  unnamed.used_by.clear();
  unnamed.created_at.clear();
  EXPECT_EQ(template_table({listed_template(), unnamed}, kLater, false),
            "TEMPLATE                 DIGEST         SIZE     CREATED      USED BY\n"
            "localhost:5000/org/box   0123456789ab   77.8MB   2 days ago   one, two\n"
            "box:1                    0123456789ab   77.8MB   2 days ago   one, two\n"
            "<none>                   0123456789ab   77.8MB   N/A\n");
  EXPECT_NE(template_table({unnamed}, kLater, true).find("sha256:0123456789abcdef"), std::string::npos);
}

TEST(TemplateListing, SplitsNamesAsDockerDoes) {
  const auto rows = template_rows({listed_template()}, kLater);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["repository"], "localhost:5000/org/box");
  EXPECT_EQ(rows[0]["tag"], "");
  EXPECT_EQ(rows[1]["repository"], "box");
  EXPECT_EQ(rows[1]["tag"], "1");
}

TEST(TemplateListing, CountsBytesAsDockerDoes) {
  EXPECT_EQ(size_text(0), "0B");
  EXPECT_EQ(size_text(999), "999B");
  EXPECT_EQ(size_text(1000), "1kB");
  EXPECT_EQ(size_text(4'260'000), "4.26MB");
  EXPECT_EQ(size_text(999'900'000), "1GB");
  EXPECT_EQ(size_text(1'240'000'000), "1.24GB");
}

TEST(TemplateListing, AHistoryNamesTheLayersAndDrivesNoTerminal) {
  const wire::TemplateHistory history{{{"2025-11-11T02:00:00Z", "RUN \033[2J" + std::string(60, 'x'), "", "", 0},
                                       {"", "COPY . /", "by hand", "sha256:0123456789abcdef", 1500}}};
  const std::string table = history_table(history, kLater, false);
  EXPECT_EQ(table.find('\033'), table.npos);
  EXPECT_NE(table.find("xxx..."), table.npos);
  EXPECT_NE(table.find("0123456789ab   N/A          COPY . /"), table.npos) << table;
  EXPECT_NE(table.find("1.5kB   by hand"), table.npos) << table;
}

}  // namespace
}  // namespace sbx::cli
