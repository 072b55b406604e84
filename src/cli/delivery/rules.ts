import type { Input, ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { namedAction } from '../support/parse-words.ts'
import { readInput } from '../support/read-input.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'

const usage = `sedge rules [show] [<file>]              print a rule file, or all three
sedge rules check <file> <local file>    say what is wrong with a file, and change nothing
sedge rules set <file> <local file>      replace a rule file by a local one
sedge rules explain <url>                say which rules a URL meets, and what comes of it

The rule files are headers, redirects and transforms (also _headers, …). With --zone those
of a zone, which hold below its own paths, after those of all zones. The local file - is
standard input.

  --zone <zone>        the zone's own file instead of the one of all zones
  --country <code>     explain: for somebody in this country, e.g. DE
  --draft <file>       explain: as if this local file were the redirects (or --file)
  --file <file>        explain: which rule file the draft is
${commonUsage}

${commonExitCodes}`

const options = {
  zone: { type: 'string' },
  country: { type: 'string' },
  draft: { type: 'string' },
  file: { type: 'string' },
} as const

interface Values {
  readonly zone?: string | undefined
  readonly country?: string | undefined
  readonly draft?: string | undefined
  readonly file?: string | undefined
}

type RuleFile = Input<'updateRules'>['body']['File']
type Act = (session: Session) => Promise<number | void>
type Plan = (words: readonly string[], values: Values) => Act

export const rulesCommand = serviceCommand({
  name: 'rules',
  aliases: ['rule'],
  summary: 'show, check, replace and explain redirects, headers and transforms',
  usage,
  options,
  plan: ({ values, positionals: [action, ...words] }) =>
    namedAction(action, plans, 'show')(words, values),
})

const ruleFiles = ['_headers', '_redirects', '_transforms'] as const satisfies readonly RuleFile[]

const ruleFile = (word: string | undefined): RuleFile => {
  const named = ruleFiles.find((file) => file === word || file === `_${word}`)
  if (named === undefined) throw new UsageError('Name headers, redirects or transforms')
  return named
}

const plans: Readonly<Record<string, Plan>> = {
  show([file, ...rest], { zone }) {
    if (rest.length > 0) throw new UsageError('Name one rule file')
    const named = file === undefined ? undefined : ruleFile(file)
    return async ({ client, print }) => {
      const rules = await client.getRules(zone === undefined ? {} : { zone })
      print(rules, () => (named === undefined ? allText(rules) : contentOf(rules, named)))
    }
  },
  check: (words, values) => replace(words, values, true),
  set: (words, values) => replace(words, values, false),
  explain([url, ...rest], { zone, country, draft, file }) {
    if (url === undefined || rest.length > 0) throw new UsageError('Name one URL')
    const from = country === undefined ? {} : { country }
    if (draft === undefined)
      return async ({ client, print }) => {
        const explained = await client.explainRules({ url, ...from })
        print(explained, () => explanationText(explained))
      }
    const named = ruleFile(file ?? 'redirects')
    return async ({ client, print, terminal }) => {
      const content = await readInput(draft, terminal)
      const body = {
        Url: url,
        File: named,
        Content: content,
        ...(zone !== undefined && { Zone: zone }),
        ...(country !== undefined && { Country: country }),
      }
      const explained = await client.explainDraftRules({ body })
      print(explained, () => explanationText(explained))
    }
  },
}

function replace(
  [word, local, ...rest]: readonly string[],
  { zone }: Values,
  isTrial: boolean,
): Act {
  const file = ruleFile(word)
  if (local === undefined || rest.length > 0)
    throw new UsageError('Name one local file, or - for standard input')
  return async ({ client, print, terminal }) => {
    const content = await readInput(local, terminal)
    const body = {
      File: file,
      Content: content,
      dry_run: isTrial,
      ...(zone !== undefined && { Zone: zone }),
    }
    const done = await client.updateRules({ body })
    print(done, () => `${done.Warnings.map(warningLine).join('')}${done.Message}\n`)
  }
}

type Rules = ResponseOf<'getRules'>

const contentOf = (rules: Rules, file: RuleFile): string => {
  const content = {
    _headers: rules.Headers,
    _redirects: rules.Redirects,
    _transforms: rules.Transforms,
  }
  return content[file] ?? ''
}

const allText = (rules: Rules): string =>
  ruleFiles
    .map((file) => {
      const content = contentOf(rules, file).trimEnd()
      return `# ${file}\n${content === '' ? '# nothing' : content}\n`
    })
    .join('\n')

interface Warning {
  readonly line: number
  readonly text: string
  readonly message: string
}

const warningLine = ({ line, text, message }: Warning): string =>
  `line ${line}: ${printable(message)}\n  ${printable(text)}\n`

type Explanation = ResponseOf<'explainRules'>

function explanationText(explanation: Explanation): string {
  const met = [...explanation.Redirects, ...explanation.Headers].filter(
    ({ outcome }) => outcome !== 'path-differs',
  )
  const lines = met.map(
    ({ file, zone, line, text, outcome }) =>
      `${file}${zone === null ? '' : ` of ${zone}`}:${line}  ${outcome}  ${printable(text)}`,
  )
  const before = new Map(explanation.FieldsBefore)
  const changed = explanation.FieldsAfter.filter(([name, value]) => before.get(name) !== value)
  const fields = changed.map(([name, value]) => `${printable(name)}: ${printable(value)}`)
  return [
    ...(lines.length === 0 ? ['No rule is for this URL'] : lines),
    actionText(explanation),
    ...fields,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function actionText({ Action: action }: Explanation): string {
  if (action === null) return 'It is answered as it is asked for'
  return action.kind === 'redirect'
    ? `It is redirected (${action.status}) to ${printable(action.location)}`
    : `It is answered (${action.status}) with ${printable(action.path)}`
}
