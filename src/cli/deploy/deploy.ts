import { writeFile } from 'node:fs/promises'

import { humanSize } from '../../domain/catalog/human-size.ts'
import { exitCodes, UsageError } from '../support/command.ts'
import { wholeNumber } from '../support/parse-words.ts'
import { commonUsage, serviceCommand, type Session } from '../support/service-command.ts'
import { printable } from '../support/table.ts'
import { shownUrl, conflictLines } from './deployment-text.ts'
import { type Deployment, deploy, planDeployment, type Wanted } from './deployment.ts'
import { differenceLines } from './differences.ts'
import { markdownOf } from './markdown.ts'

export const deployCommand = serviceCommand({
  name: 'deploy',
  summary: 'put a directory online, as a preview or live',
  usage: `sedge deploy <local directory> --zone <zone> [--preview <name>] [--promote]

Stores every file below a local directory in a zone: with --preview in a preview of that
name, which is made where there is none, without it live, all at once, so that nobody sees
one half of a site new and the other old. Only what has another SHA-256 is sent; a deploy
that was broken off goes on when it is run again. It prints where the files are, and what
is otherwise than what is live, with sizes. Names that begin with a dot are left out.

What somebody else has changed meanwhile is told, and then nothing becomes live: a deploy
that is run again lays its own files over it.

  --zone <zone>        where to
  --preview <name>     as a preview: lower-case letters, digits and single hyphens
  --promote            make the preview live, too
  --prefix <path>      v1, or a directory below it, such as v1/site (v1)
  --delete             delete what is below the prefix and not in the directory
  --dry-run            say what would be done, and do nothing
  --summary <file>     write the same as Markdown, for a pull request
  --jobs <number>      requests at once (4)
${commonUsage}

Exit codes: 0 done, 1 failed, 2 wrong use, 3 not permitted, 4 not there, 5 no service
answers, 6 others have changed the same, and nothing became live.`,
  options: {
    zone: { type: 'string' },
    preview: { type: 'string' },
    promote: { type: 'boolean', default: false },
    prefix: { type: 'string', default: 'v1' },
    delete: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    summary: { type: 'string' },
    jobs: { type: 'string', default: '4' },
  },
  plan({ values, positionals: [directory, ...rest] }) {
    const { zone, preview, summary } = values
    if (directory === undefined || rest.length > 0) throw new UsageError('Name one local directory')
    if (zone === undefined) throw new UsageError('Name the zone: --zone acme')
    const wanted = {
      directory,
      zone,
      prefix: prefixOf(values.prefix),
      preview: preview === undefined ? undefined : previewName(preview),
      promotes: values.promote,
      deletes: values.delete,
      jobs: wholeNumber(values.jobs, { name: 'jobs', min: 1, max: 32 }) ?? 4,
    }
    if (values['dry-run']) return (session) => sayPlan(wanted, session)
    return (session) => run(wanted, summary, session)
  },
})

function prefixOf(text: string): string {
  const prefix = text
    .replace(/^\/+/u, '')
    .replace(/(?<!\/)\/+$/u, '')
    .normalize('NFC')
  const segments = prefix.split('/')
  if (segments[0] !== 'v1' || segments.some((each) => ['', '.', '..'].includes(each)))
    throw new UsageError('--prefix must be v1, or a directory below it, such as v1/site')
  return prefix
}

/** The service has the last word; this one is said before anything is read. */
export function previewName(text: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/u.test(text) || text.includes('--'))
    throw new UsageError(
      `"${text}" is no name of a preview: lower-case letters, digits and single hyphens, at most 40`,
    )
  return text
}

async function run(wanted: Wanted, summary: string | undefined, session: Session): Promise<number> {
  const done = await deploy(wanted, session)
  if (summary !== undefined)
    await writeFile(summary, markdownOf(done, wanted, shownUrl(done, wanted, session)))
  session.print(factsOf(done, wanted, session), () => textOf(done, wanted, session))
  for (const line of conflictLines(done.conflicts)) session.terminal.error.write(`${line}\n`)
  if (done.conflicts.length > 0) return exitCodes.conflict
  return done.failed.length === 0 ? exitCodes.ok : exitCodes.failed
}

const factsOf = (done: Deployment, wanted: Wanted, session: Session) => ({
  zone: wanted.zone,
  preview: wanted.preview ?? null,
  url: shownUrl(done, wanted, session),
  hostUrl: wanted.preview === undefined ? null : done.preview.HostUrl,
  created: done.created,
  changed: done.changed,
  deleted: done.deleted,
  unchanged: done.unchanged,
  failed: done.failed,
  sentBytes: done.sentBytes,
  differences: done.differences,
  promotion: done.promotion ?? null,
  conflicts: done.conflicts,
})

const mostLines = 50

function textOf(done: Deployment, wanted: Wanted, session: Session): string {
  const counts = countsOf(done.created.length, done.changed.length, done.deleted.length)
  return [
    `${counts}, ${done.unchanged} unchanged, ${humanSize(done.sentBytes)} sent\n`,
    differenceLines(done.differences, mostLines),
    ...(done.promotion === undefined ? [] : [promotionLine(done.promotion.Commit)]),
    `${shownUrl(done, wanted, session)}\n`,
  ].join('')
}

const promotionLine = (commit: string | null): string =>
  commit === null
    ? 'What is live has all of it already\n'
    : `Live since commit ${commit.slice(0, 12)}\n`

const countsOf = (created: number, changed: number, deleted: number): string =>
  `${created} new, ${changed} changed, ${deleted} deleted`

const paths = (files: readonly { readonly path: string }[]): readonly string[] =>
  files.map(({ path }) => path)

async function sayPlan(wanted: Wanted, session: Session): Promise<void> {
  const plan = await planDeployment(wanted, session)
  const extra = wanted.deletes ? plan.extra : []
  const facts = {
    created: paths(plan.created),
    changed: paths(plan.changed),
    deleted: paths(extra),
    unchanged: plan.unchanged.length,
  }
  session.print(facts, () =>
    [
      ...facts.created.map((path) => `+ ${path}`),
      ...facts.changed.map((path) => `~ ${path}`),
      ...facts.deleted.map((path) => `- ${path}`),
      `Nothing was done; it would be: ${countsOf(plan.created.length, plan.changed.length, extra.length)}, ${facts.unchanged} unchanged`,
    ]
      .map((line) => `${printable(line)}\n`)
      .join(''),
  )
}
