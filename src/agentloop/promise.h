// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// A promise is how an agent says that it is done: a line that it was told to end with.
//   is_promised("All tests pass.\n<promise>COMPLETE</promise>\n", "COMPLETE", PromiseForm::kTagged)
namespace sbx::agentloop {

enum class PromiseForm {
  kTagged,  // <promise>TEXT</promise>, in any case, with white space inside the tag
  kPlain,   // the same, or TEXT alone, to the letter
};

// Whether the last line that is not empty is the promise and nothing else. A promise elsewhere does not count: an agent
// that repeats what it was told, or tells what it will say, has not said it.
bool is_promised(std::string_view words, std::string_view promise, PromiseForm form);

std::string_view last_line_of(std::string_view words);

// Without control sequences of terminals.
std::string without_colours(std::string_view text);

// The words without copies of the prompt: a program that prints what it was given does not speak for itself.
std::string without_echo(std::string words, std::string_view prompt);

}  // namespace sbx::agentloop
