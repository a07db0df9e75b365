// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/completion.h"

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/words/agent_name.h"

namespace sbx::cli {
namespace {

// Where the cursor is: which flags may stand there, whose value it is, or which operand.
struct Place {
  const Flag* value_of = nullptr;
  std::size_t operands = 0;  // before it
  std::string last_operand;
  bool flags_allowed = true;
};

const Flag* flag_at(const Flags& flags, const std::string& word) {
  for (const Flag* flag : flags) {
    if (word == "--" + std::string(flag->name)) return flag;
    // In a bundle only the last letter can want the next word.
    if (flag->letter != 0 && word.size() > 1 && word[0] == '-' && word[1] != '-' && word.back() == flag->letter)
      return flag;
  }
  return nullptr;
}

Place place_after(std::span<const std::string> before, const Flags& flags, Grammar grammar) {
  Place place;
  for (std::size_t i = 0; i < before.size(); ++i) {
    place.value_of = nullptr;
    if (place.flags_allowed && before[i] == "--") {
      place.flags_allowed = false;
    } else if (place.flags_allowed && before[i].starts_with('-')) {
      const Flag* flag = flag_at(flags, before[i]);
      if (flag == nullptr || flag->kind == FlagKind::kSwitch) continue;
      if (i + 1 == before.size()) place.value_of = flag;
      ++i;
    } else {
      ++place.operands;
      place.last_operand = before[i];
      if (grammar == Grammar::kStopAtOperand) place.flags_allowed = false;
    }
  }
  return place;
}

void add(Completions& to, std::string_view word, std::string_view description, std::string_view typed,
         std::string_view prefix = {}) {
  if (word.starts_with(typed))
    to.candidates.push_back({std::string(prefix) + std::string(word), std::string(description)});
}

void add_kind(Completions& to, Candidates kind, std::string_view words, std::string_view typed, std::string_view prefix,
              const Known& known) {
  const bool with_agents = kind == Candidates::kAgents || kind == Candidates::kAgentsAndSandboxes;
  const bool names = kind == Candidates::kSandboxes || kind == Candidates::kAgentsAndSandboxes;
  const agents::Catalogue catalogue = with_agents ? known_agents().value_or(agents::Catalogue()) : agents::Catalogue();
  if (with_agents)
    for (const auto& agent : catalogue.all()) add(to, agent.name, "agent", typed, prefix);
  if (names)
    for (const std::string& name : known.sandboxes()) add(to, name, "sandbox", typed, prefix);
  if (kind == Candidates::kTemplates)
    for (const std::string& name : known.templates()) add(to, name, "template", typed, prefix);
  if (kind == Candidates::kSecrets)
    for (const std::string& name : known.secrets()) add(to, name, "secret", typed, prefix);
  if (kind == Candidates::kWords)
    for (const std::string& word : split(words, words.find('|') != words.npos ? '|' : ' '))
      add(to, word, "", typed, prefix);
  if (kind == Candidates::kCopies)
    for (const std::string& name : known.sandboxes()) add(to, name + ":", "sandbox", typed, prefix);
  if (kind == Candidates::kFiles || kind == Candidates::kCopies) to.directive = Directive::kFiles;
  if (kind == Candidates::kDirectories || kind == Candidates::kAgents) to.directive = Directive::kDirectories;
}

void add_flags(Completions& to, const Flags& flags, std::string_view typed) {
  for (const Flag* flag : flags)
    if (!flag->hidden) add(to, "--" + std::string(flag->name), flag->help, typed);
}

// Its next word: `daemon` has been typed, or nothing.
void add_commands(Completions& to, std::string_view group, std::string_view typed) {
  const std::string prefix = group.empty() ? "" : std::string(group) + " ";
  for (const CliCommand& command : command_table()) {
    if (command.hidden || !command.name.starts_with(prefix)) continue;
    const std::string_view word = command.name.substr(prefix.size());
    if (word.find(' ') == std::string_view::npos) add(to, word, command.summary, typed);
  }
}

Completions complete_in(const CliCommand& command, std::span<const std::string> before, const std::string& typed,
                        const Known& known) {
  Completions result;
  const Flags flags = all_of({command.flags, global_flags()});
  const Place place = place_after(before, flags, command.grammar);
  const std::size_t equals = typed.find('=');
  if (place.value_of != nullptr) {
    add_kind(result, place.value_of->candidates, place.value_of->words, typed, "", known);
  } else if (place.flags_allowed && typed.starts_with("--") && equals != std::string::npos) {
    if (const Flag* flag = flag_at(flags, typed.substr(0, equals)))
      add_kind(result, flag->candidates, flag->words, typed.substr(equals + 1), typed.substr(0, equals + 1), known);
  } else if (place.flags_allowed && typed.starts_with('-')) {
    add_flags(result, flags, typed);
  } else if (command.handler == nullptr) {
    add_commands(result, command.name, typed);
  } else if (place.operands < command.most) {
    const bool later = place.operands > 0 && command.more_candidates != Candidates::kNone;
    const Candidates kind = later ? command.more_candidates : command.candidates;
    add_kind(result, kind, command.words, typed, "", known);
    if (kind == Candidates::kSessions)
      for (const Candidate& session : known.sessions(place.last_operand))
        add(result, session.word, session.description, typed);
    if (before.empty())
      add_commands(result, command.name, typed);  // `sessions` is a command, and `sessions kill` another
  }
  return result;
}

constexpr std::string_view kBash = R"(# bash completion for sandbox
_sandbox() {
  local line=${COMP_LINE:0:COMP_POINT} answer directive word
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  answer=$("${words[0]}" __complete "${words[@]:1}" 2>/dev/null) || return
  directive=${answer##*:}
  COMPREPLY=()
  # bash treats what is before = or : as a word of its own
  local typed=${words[-1]} cut=""
  [[ $typed == *[=:]* && $COMP_WORDBREAKS == *[=:]* ]] && cut=${typed%"${typed##*[=:]}"}
  while IFS=$'\t' read -r word _; do
    [[ $word == :* ]] || COMPREPLY+=("${word#"$cut"}")
  done <<<"$answer"
  case $directive in
    0) compopt -o default ;;
    16) compopt -o dirnames ;;
  esac
}
complete -F _sandbox sandbox
)";

constexpr std::string_view kZsh = R"(#compdef sandbox
# zsh completion for sandbox
_sandbox() {
  local -a lines described
  local line directive
  lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  directive=${lines[-1]#:}
  for line in "${(@)lines[1,-2]}"; do
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  (( ${#described} )) && _describe -V 'sandbox' described
  case $directive in
    0) _files ;;
    16) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = "_sandbox" ]; then
  _sandbox "$@"
else
  compdef _sandbox sandbox
fi
)";

constexpr std::string_view kFish = R"(# fish completion for sandbox
function __sandbox_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command $words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    set -l directive $lines[-1]
    test (count $lines) -gt 1; and printf '%s\n' $lines[1..-2]
    switch $directive
        case ':0'
            __fish_complete_path "$current"
        case ':16'
            __fish_complete_directories "$current"
    end
end
complete -c sandbox -f -a '(__sandbox_complete)'
)";

}  // namespace

Completions complete(std::span<const std::string> words, const Known& known) {
  Completions result;
  if (words.empty()) return result;
  const std::string& typed = words.back();
  const auto before = words.first(words.size() - 1);
  const Flags globals = all_of({global_flags()});
  const auto leading = leading_flags(before, globals);
  if (!leading) return result;
  const auto rest = before.subspan(*leading);
  std::size_t used = 0;
  const CliCommand* command = find_command(rest, used);
  if (command != nullptr) return complete_in(*command, rest.subspan(used), typed, known);
  if (!rest.empty()) return result;
  if (typed.starts_with('-'))
    add_flags(result, globals, typed);
  else
    add_commands(result, "", typed);
  return result;
}

std::string render(const Completions& completions) {
  std::string out;
  for (const Candidate& candidate : completions.candidates)
    out += printable(candidate.word) + "\t" + printable(candidate.description) + "\n";
  return out + ":" + std::to_string(static_cast<int>(completions.directive)) + "\n";
}

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  if (shell == "fish") return std::string(kFish);
  return fail(Code::kInvalid, "no completion for \"" + std::string(shell) + "\" (known: bash, zsh, fish)");
}

}  // namespace sbx::cli
