// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/apt_sources.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

// /etc/apt as an installation has it.
class AptSources : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(make_directories(apt + "/sources.list.d"));
    ASSERT_TRUE(write_file_atomically(apt + "/" + name, text));
  }
  std::string found(const std::string& codename = "bookworm") {
    const auto sources = host_sources(apt, codename);
    return sources ? to_deb822(*sources) : sources.error().what();
  }

  testing::TemporaryDirectory scratch;
  std::string apt = scratch.path() + "/apt";
};

TEST_F(AptSources, OneLineEntriesAreRead) {
  put("sources.list",
      "# a comment\n"
      "deb [arch=amd64 signed-by=/usr/share/keyrings/d.gpg] http://mirror.test/debian bookworm main contrib # why\n"
      "deb-src http://mirror.test/debian bookworm main\n");
  EXPECT_EQ(found(),
            "Types: deb\nURIs: http://mirror.test/debian\nSuites: bookworm\nComponents: main contrib\n"
            "Signed-By: /usr/share/keyrings/d.gpg\n");
}

TEST_F(AptSources, Deb822EntriesAreRead) {
  put("sources.list.d/ubuntu.sources",
      "Types: deb deb-src\n# moved\nURIs: http://a.test/u http://b.test/u\nSuites: noble noble-updates\n "
      "noble-backports\n"
      "Components: main universe\nSigned-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg\n\n"
      "Types: deb\nEnabled: no\nURIs: http://off.test/\nSuites: noble\nComponents: main\n");
  EXPECT_EQ(
      found("noble"),
      "Types: deb\nURIs: http://a.test/u http://b.test/u\nSuites: noble noble-updates\nComponents: main universe\n"
      "Signed-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg\n");
}

TEST_F(AptSources, ThirdPartiesAreLeftOut) {
  put("sources.list.d/a.list", "deb http://mirror.test/debian bookworm main\n");
  put("sources.list.d/other-component.list", "deb http://docker.test/debian bookworm stable\n");
  put("sources.list.d/other-suite.list", "deb http://pg.test/apt bookworm-pgdg main\n");
  put("sources.list.d/other-key.list", "deb [signed-by=/etc/apt/keyrings/x.gpg] http://x.test/debian bookworm main\n");
  put("sources.list.d/ignored.list.bak", "deb http://bak.test/debian bookworm main\n");
  EXPECT_EQ(found(), "Types: deb\nURIs: http://mirror.test/debian\nSuites: bookworm\nComponents: main\n");
}

TEST_F(AptSources, AListOfMirrorsIsReplacedByTheMirrors) {
  put("mirrors", "# best first\nhttp://one.test/debian\tpriority:1\nhttp://two.test/debian\n");
  put("sources.list", "deb mirror+file://" + apt + "/mirrors bookworm main\ndeb cdrom:[x]/ bookworm main\n");
  EXPECT_EQ(found(),
            "Types: deb\nURIs: http://one.test/debian http://two.test/debian\nSuites: bookworm\nComponents: main\n");
}

TEST_F(AptSources, NoSourceForTheReleaseIsAnError) {
  put("sources.list", "deb http://mirror.test/debian trixie main\n");
  EXPECT_EQ(found(), "no package source for bookworm in " + apt);
}

TEST_F(AptSources, AHostWithoutAptIsToldSo) {
  const auto sources = host_sources(scratch.path() + "/nothing", "bookworm");
  ASSERT_FALSE(sources);
  EXPECT_NE(sources.error().what().find("there is no " + scratch.path() + "/nothing"), std::string::npos);
  EXPECT_FALSE(sources.error().hint().empty());
}

TEST_F(AptSources, PasswordsStayOnTheHost) {
  const auto sources = parse_sources_list(
      "deb https://me:p@ss@mirror.test/debian bookworm main\n"
      "deb https://mirror.test/at@home bookworm main\n");
  const auto clean = without_credentials(sources);
  EXPECT_EQ(clean.at(0).uris.at(0), "https://mirror.test/debian");
  EXPECT_EQ(clean.at(1).uris.at(0), "https://mirror.test/at@home");
}

TEST_F(AptSources, WhatWeWriteWeRead) {
  const auto sources = parse_sources_list("deb [trusted=yes] http://mirror.test/debian bookworm main contrib\n");
  EXPECT_EQ(parse_deb822(to_deb822(sources)), sources);
}

}  // namespace
}  // namespace sbx::images
