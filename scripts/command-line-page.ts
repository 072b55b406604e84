import type { Command } from '../src/cli/support/command.ts'
import { everydayCommands, operatorCommands } from '../src/cli/commands.ts'
import { generatedNote, table } from './markdown.ts'

/** `docs/command-line.md`, from the commands' own usage texts. */
export const commandLinePage = (): string =>
  [
    '# The command line',
    generatedNote,
    '`npx sedge <command>` in a clone, `sedge <command>` where the package is installed. `sedge help <command>` prints what is below.',
    '```sh\nsedge login https://assets.example     # asks for a key once, keeps a token\nsedge zones create acme\nsedge sync ./icons acme/v1/icons        # only what changed; --delete, --dry-run\nsedge ls acme/v1/icons\nsedge insights top --zone acme\n```',
    '## Which service',
    'The profile that `--profile` or `SEDGE_PROFILE` names, else the address of `--url` or `SEDGE_URL`, else the current profile, else the service on this machine. It is asked with the token in `SEDGE_TOKEN`, or with what the profile keeps, or with the keys of the service: from the environment (`ACCESS_KEY`, `ACCOUNT_KEY`, `PURGE_KEY`), or from the data directory where it is on this machine. So where the service runs, no login is needed.',
    "A profile's credentials go to its own service alone. Keys are asked for or read from standard input, never given on the command line, and printed by `sedge keys show` and `sedge keys rotate` alone.",
    '## In scripts',
    'With `--json`, standard output is JSON in the words of the interface. Bars are drawn on a terminal alone; everything that is not an answer goes to standard error. What cannot be undone asks at a terminal, and elsewhere wants `--yes`. After 429 and 503 a call is tried again three times.',
    table(
      ['Exit code', 'Meaning'],
      [
        ['0', 'done'],
        ['1', 'failed, or refused for a reason of its own'],
        ['2', 'wrong use; nothing was asked of the service'],
        ['3', 'not permitted: no credentials, wrong ones, or not enough'],
        ['4', 'not there'],
        ['5', 'no service answers, or it is too busy'],
        ['6', 'others have changed the same meanwhile; nothing was done'],
      ],
    ),
    '## Everyday work',
    ...everydayCommands.map(section),
    '## The service on this machine',
    ...operatorCommands.filter(({ isInternal }) => isInternal !== true).map(section),
  ].join('\n\n')

function section({ name, aliases = [], summary, usage }: Command): string {
  const others =
    aliases.length === 0 ? '' : ` (also ${aliases.map((each) => `\`${each}\``).join(', ')})`
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}${others}.`.replace(
    '?.',
    '?',
  )
  return `### sedge ${name}\n\n${sentence}\n\n\`\`\`text\n${usage.trim()}\n\`\`\``
}
