// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/browser.h"

#include "base/file.h"
#include "base/format.h"
#include "wire/session.h"

namespace sbx::guest {

// In one write, so that nothing else that is printed comes between. The client checks what it is told; what a terminal
// of another kind would do with control characters is kept from happening here.
Result<> offer_browser(const std::string& path) {
  const std::string script = sbx::format(
      "#!/bin/sh\n"
      "# Tells the terminal's client outside of the sandbox which page to open.\n"
      "link=$(printf %s \"$1\" | tr -d '\\000-\\040\\177-\\377')\n"
      "case $link in http://*|https://*) ;; *) echo \"open: no web address: $link\" >&2; exit 1 ;; esac\n"
      "if [ ${{#link}} -le {} ] && (: > /dev/tty) 2> /dev/null; then\n"
      "  printf '\\033]{}%s\\007' \"$link\" > /dev/tty\n"
      "else\n"
      "  echo \"Open in your browser: $link\" >&2\n"
      "fi\n",
      wire::kLongestLink, wire::kOpenLink);
  TRY(make_directories(path.substr(0, path.rfind('/')), 0755));
  return write_file(path, script, 0755);
}

}  // namespace sbx::guest
