import type { Command } from '../support/command.ts'

/** What can follow the name of a command. */
interface Words {
  readonly name: string
  readonly summary: string
  readonly actions: readonly string[]
  readonly options: readonly string[]
}

/** Read from the usage texts, which name every action and option there is. */
const wordsOf = (commands: readonly Command[]): readonly Words[] =>
  commands
    .filter(({ isInternal }) => isInternal !== true)
    .map(({ name, summary, usage }) => ({
      name,
      summary,
      actions: unique(usage.matchAll(new RegExp(`^sedge ${name} \\[?([a-z][a-z-]*)\\]?`, 'gmu'))),
      options: unique(usage.matchAll(/(--[a-z][a-z-]*)/gu)),
    }))

const unique = (matches: Iterable<RegExpExecArray>): string[] => [
  ...new Set(Array.from(matches, ([, word = '']) => word)),
]

/** After its own words a command takes local files. */
export function bashCompletion(commands: readonly Command[]): string {
  const all = wordsOf(commands)
  return `_sedge() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${all.map(({ name }) => name).join(' ')} help' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${all.map(({ name, actions, options }) => `    ${name}) words='${[...actions, ...options].join(' ')}' ;;`).join('\n')}
    help) words='${all.map(({ name }) => name).join(' ')}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _sedge sedge
`
}

export function zshCompletion(commands: readonly Command[]): string {
  const all = wordsOf(commands)
  const described = all.map(({ name, summary }) => `'${name}:${quoted(summary)}'`)
  return `#compdef sedge
_sedge() {
  local -a commands words
  commands=(${described.join(' ')} 'help:tell more of a command')
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "\${words[2]}" in
${all.map(({ name, actions, options }) => `    ${name}) reply=(${[...actions, ...options].join(' ')}) ;;`).join('\n')}
    help) reply=(${all.map(({ name }) => name).join(' ')}) ;;
    *) reply=() ;;
  esac
  compadd -- $reply
  _files
}
compdef _sedge sedge
`
}

export function fishCompletion(commands: readonly Command[]): string {
  const lines = wordsOf(commands).flatMap(({ name, summary, actions, options }) => [
    `complete -c sedge -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`,
    ...actions.map(
      (action) => `complete -c sedge -n '__fish_seen_subcommand_from ${name}' -a ${action}`,
    ),
    ...options.map(
      (option) =>
        `complete -c sedge -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}

/** Inside single quotes, in any of the shells. */
const quoted = (text: string): string => text.replaceAll("'", '’').replaceAll(':', ' -')
