import type { Command } from '../support/command.ts'

/** What can follow the name of a command. */
interface Words {
  readonly name: string
  readonly summary: string
  readonly actions: readonly string[]
  readonly options: readonly string[]
  /** What of the service it is given, which `sedge stored-names` lists. */
  readonly takes: 'paths' | 'zones' | undefined
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
      takes: takenBy(name, usage),
    }))

function takenBy(name: string, usage: string): Words['takes'] {
  const own = usage.split('\n').filter((line) => line.startsWith(`sedge ${name} `))
  const first = own.flatMap((line) => /<([a-z]+)/u.exec(line)?.[1] ?? [])
  if (name === 'zones' || first.includes('zone')) return 'zones'
  return own.some((line) => /<(?:path|directory)\b/u.test(line)) ? 'paths' : undefined
}

/** The names of commands that take what the service has, as an alternative of `case`. */
const takersOf = (all: readonly Words[], what: Words['takes']): string =>
  all
    .filter(({ takes }) => takes === what)
    .map(({ name }) => name)
    .join('|')

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
  local IFS=$'\\n' wanted=''
  case "\${COMP_WORDS[1]}" in
    ${takersOf(all, 'paths')}) wanted='stored-names' ;;
    ${takersOf(all, 'zones')}) wanted='stored-names --zones' ;;
  esac
  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = --zone ]; then wanted='stored-names --zones'; fi
  if [ -n "$wanted" ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY+=($(IFS=' '; sedge $wanted "$current" 2>/dev/null))
  fi
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
  case "\${words[2]}" in
    ${takersOf(all, 'paths')}) compadd -S '' -- \${(f)"$(sedge stored-names "\${words[CURRENT]}" 2>/dev/null)"} ;;
    ${takersOf(all, 'zones')}) compadd -- \${(f)"$(sedge stored-names --zones "\${words[CURRENT]}" 2>/dev/null)"} ;;
  esac
  _files
}
compdef _sedge sedge
`
}

export function fishCompletion(commands: readonly Command[]): string {
  const lines = wordsOf(commands).flatMap(({ name, summary, actions, options, takes }) => [
    `complete -c sedge -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`,
    ...actions.map(
      (action) => `complete -c sedge -n '__fish_seen_subcommand_from ${name}' -a ${action}`,
    ),
    ...options.map(
      (option) =>
        `complete -c sedge -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
    ...(takes === undefined ? [] : [storedLine(name, takes)]),
  ])
  return `${lines.join('\n')}\n`
}

const storedLine = (name: string, takes: 'paths' | 'zones'): string =>
  `complete -c sedge -n '__fish_seen_subcommand_from ${name}' -a '(sedge stored-names ${takes === 'zones' ? '--zones ' : ''}(commandline -ct) 2>/dev/null)'`

/** Inside single quotes, in any of the shells. */
const quoted = (text: string): string => text.replaceAll("'", '’').replaceAll(':', ' -')
