import { counted } from '../../../lib/text/visible-text.ts'
import { UsageError } from '../../support/command.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'
import { printable } from '../../support/table.ts'
import { cleanPath } from '../remote-files.ts'

const where = `A file goes where you say; a path that ends in / is the directory to put it into, under its own
name, and several need one. Directories go with all that is below them: drafts to final/ is
final/drafts then, and drafts/ to final/ takes the name. It is one commit, in which no byte
is sent or copied, and all of it happens or nothing. What is known of a file goes with it.`

const options = {
  overwrite: { type: 'boolean', default: false },
  'if-match': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const

const optionsUsage = `  --overwrite          files that are there already may go
  --if-match <tag>     only where the file has this ETag
  --dry-run            check everything, and say how many files it would be`

export const cpCommand = serviceCommand({
  name: 'cp',
  aliases: ['copy'],
  summary: 'copy files and directories',
  usage: `sedge cp <path> … <path>

Copies what is stored, from one zone to another too. sedge put stores what is here.
${where}

${optionsUsage}
${commonUsage}

${commonExitCodes}`,
  options,
  plan({ values, positionals }) {
    const wanted = wantedOf(positionals, values)
    return (session) => relocate('copy', wanted, session)
  },
})

export const mvCommand = serviceCommand({
  name: 'mv',
  aliases: ['move'],
  summary: 'move or rename files and directories',
  usage: `sedge mv <path> … <path>

Moves or renames what is stored, from one zone to another too.
${where}

  --redirect           leave 301 rules that lead from the former URLs to the new ones
${optionsUsage}
${commonUsage}

${commonExitCodes}`,
  options: { ...options, redirect: { type: 'boolean', default: false } },
  plan({ values, positionals }) {
    const wanted = { ...wantedOf(positionals, values), redirects: values.redirect }
    return (session) => relocate('move', wanted, session)
  },
})

interface Wanted {
  /** Not empty; with a slash at the end where it was said. */
  readonly sources: readonly string[]
  readonly target: string
  readonly overwrites: boolean
  readonly redirects?: boolean
  readonly match: string | undefined
  readonly isDryRun: boolean
}

interface Values {
  readonly overwrite: boolean
  readonly 'if-match'?: string | undefined
  readonly 'dry-run': boolean
}

/** The service takes so many at once. */
const maxSources = 1_000

function wantedOf(positionals: readonly string[], values: Values): Wanted {
  const target = positionals.at(-1)
  const sources = positionals.slice(0, -1).map(cleanPath)
  if (target === undefined || sources.length === 0)
    throw new UsageError('Name the paths and where they go')
  const wanted = {
    sources,
    target: cleanPath(target),
    overwrites: values.overwrite,
    match: values['if-match'],
    isDryRun: values['dry-run'],
  }
  if (sources.length > 1) requireMany(wanted)
  return wanted
}

function requireMany({ sources, target, match }: Wanted): void {
  if (!target.endsWith('/')) throw new UsageError(`Several paths need a directory: ${target}/`)
  if (match !== undefined) throw new UsageError('--if-match is for one path')
  if (sources.length > maxSources)
    throw new UsageError(`${sources.length} paths are more than ${maxSources}; name directories`)
}

type Kind = 'copy' | 'move'

async function relocate(kind: Kind, wanted: Wanted, session: Session): Promise<void> {
  if (wanted.sources.length > 1) return await relocateMany(kind, wanted, session)
  const { client, print } = session
  const [source = ''] = wanted.sources
  const body = {
    From: source,
    To: wanted.target,
    Overwrite: wanted.overwrites,
    DryRun: wanted.isDryRun,
  }
  const headers = wanted.match === undefined ? {} : { headers: { 'If-Match': wanted.match } }
  const done =
    kind === 'copy'
      ? await client.copyFiles({ body, ...headers })
      : await client.moveFiles({
          body: { ...body, Redirect: wanted.redirects === true },
          ...headers,
        })
  print(done, () => lineOf(kind, { to: done.To, fileCount: done.Files, isDryRun: done.DryRun }))
}

async function relocateMany(
  kind: Kind,
  { sources, target, overwrites, redirects, isDryRun }: Wanted,
  { client, print }: Session,
): Promise<void> {
  const done = await client.changeAssets({
    body: {
      Paths: [...sources],
      Action: kind,
      To: target,
      Overwrite: overwrites,
      ...(redirects === true && { Redirect: true }),
      DryRun: isDryRun,
    },
  })
  const fileCount = done.Results.reduce((sum, { Files }) => sum + Files, 0)
  print(done, () => lineOf(kind, { to: target, fileCount, isDryRun }))
}

const past: Readonly<Record<Kind, string>> = { copy: 'copied', move: 'moved' }

interface Done {
  readonly to: string
  readonly fileCount: number
  readonly isDryRun: boolean
}

function lineOf(kind: Kind, { to, fileCount, isDryRun }: Done): string {
  const files = counted(fileCount, 'file')
  const verb = isDryRun ? `would be ${past[kind]}` : past[kind]
  return `${files} ${verb} to ${printable(to.replace(/^clients\//u, ''))}\n`
}
