import { stat } from 'node:fs/promises'

import { humanSize } from '../../domain/catalog/human-size.ts'
import { CommandError, exitCodes, terminalProgress, UsageError } from '../support/command.ts'
import { filesBelow, type LocalFile } from './upload/import-plan.ts'
import { createLargeFiles } from './upload/large-files.ts'
import { wholeNumber } from '../support/parse-words.ts'
import { cleanPath, filesOf } from './remote-files.ts'
import { deleteFiles } from './manage/rm.ts'
import { refusalText } from '../support/say-error.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { planSync, type SyncPlan } from './sync-plan.ts'
import { printable } from '../support/table.ts'
import { transferProgress } from './upload/transfer-progress.ts'
import { sha256OfFile, upload } from './upload/upload.ts'

interface Wanted {
  readonly directory: string
  readonly target: string
  readonly isDryRun: boolean
  readonly deletes: boolean
  readonly jobs: number
}

export const syncCommand = serviceCommand({
  name: 'sync',
  summary: 'make storage the same as a local directory',
  usage: `sedge sync <local directory> <directory> [--delete] [--dry-run]

Stores every file below a local directory below a directory of storage, e.g.
sedge sync ./icons acme/v1/icons. Only what is new or has another SHA-256 is sent, small
files in batches and large ones in pieces, so a sync that was interrupted goes on where it
stopped, within a large file too. Names that begin with a dot are left out.

  --delete             delete what is in storage alone
  --dry-run            say what would be done, and do nothing
  --jobs <number>      requests at once (4)
${commonUsage}

${commonExitCodes}`,
  options: {
    delete: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    jobs: { type: 'string', default: '4' },
  },
  plan({ values, positionals: [directory, target, ...rest] }) {
    if (directory === undefined || target === undefined || rest.length > 0)
      throw new UsageError('Name the local directory and where it goes')
    const wanted = {
      directory,
      target: cleanPath(target).replace(/(?<!\/)\/+$/u, ''),
      isDryRun: values['dry-run'],
      deletes: values.delete,
      jobs: wholeNumber(values.jobs, { name: 'jobs', min: 1, max: 32 }) ?? 4,
    }
    if (!wanted.target.includes('/'))
      throw new UsageError(
        `"${target}" is a zone: say where in it, e.g. ${wanted.target || 'acme'}/v1/icons`,
      )
    return (session) => sync(wanted, session)
  },
})

async function sync(wanted: Wanted, session: Session): Promise<number> {
  const { client, terminal } = session
  const local = await localFiles(wanted)
  await requireZone(wanted.target, session)
  const remote = await filesOf(client, wanted.target)
  const progress = terminalProgress(
    { label: 'comparing', total: local.length, unit: 'files' },
    terminal,
  )
  const plan = await planSync({
    local,
    remote,
    async sha256Of(source) {
      progress.advance(1)
      return await sha256OfFile(source)
    },
  })
  progress.finish()
  if (wanted.isDryRun) return sayPlan(plan, wanted, session)
  const failed = await store([...plan.created, ...plan.changed], wanted, session)
  const extra = wanted.deletes ? plan.extra.map(({ path }) => path) : []
  const { deleted, failed: kept } = await deleteFiles(extra, session)
  sayResult({ plan, failed, deleted, kept }, session)
  return failed.length + kept.length === 0 ? exitCodes.ok : exitCodes.failed
}

async function localFiles({ directory, target }: Wanted): Promise<readonly LocalFile[]> {
  const facts = await stat(directory).catch(() => undefined)
  if (facts?.isDirectory() !== true) throw new UsageError(`${directory} is not a directory`)
  const files = await filesBelow(directory, target)
  // An empty directory is more likely a slip than the wish to delete everything.
  if (files.length === 0) throw new UsageError(`There are no files below ${directory}`)
  return files
}

/** Said before anything is compared or read. */
async function requireZone(target: string, { client }: Session): Promise<void> {
  const [zone = ''] = target.split('/')
  const zones = await client.listDirectory('')
  if (!zones.some(({ ObjectName: name }) => name === zone))
    throw new CommandError(
      `There is no zone "${zone}"; sedge zones create ${zone} makes it`,
      exitCodes.notFound,
    )
}

async function store(
  files: readonly LocalFile[],
  { jobs }: Wanted,
  session: Session,
): Promise<readonly string[]> {
  const { client, terminal } = session
  const progress = transferProgress(files, terminal)
  const large = createLargeFiles(session)
  const refused = await upload(files, client, {
    jobs,
    large,
    onFile: (file) => progress.onFile(file),
    count: progress,
  })
  progress.finish()
  for (const { path, error } of refused) terminal.error.write(`${path}: ${refusalText(error)}\n`)
  return refused.map(({ path }) => path)
}

interface Result {
  readonly plan: SyncPlan
  readonly failed: readonly string[]
  readonly deleted: readonly string[]
  readonly kept: readonly string[]
}

function sayResult({ plan, failed, deleted, kept }: Result, { print }: Session): void {
  const isStored = ({ path }: LocalFile) => !failed.includes(path)
  const created = plan.created.filter(isStored)
  const changed = plan.changed.filter(isStored)
  const facts = {
    created: created.map(({ path }) => path),
    changed: changed.map(({ path }) => path),
    deleted,
    unchanged: plan.unchanged.length,
    failed: [...failed, ...kept],
  }
  const bytes = [...created, ...changed].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  print(facts, () => `${countsOf(plan, facts)}, ${humanSize(bytes)} sent\n`)
}

function countsOf(
  { unchanged }: SyncPlan,
  {
    created,
    changed,
    deleted,
    failed,
  }: Readonly<Record<'created' | 'changed' | 'deleted' | 'failed', readonly unknown[]>>,
): string {
  const counts = [
    `${created.length} new`,
    `${changed.length} changed`,
    `${unchanged.length} unchanged`,
    `${deleted.length} deleted`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  return counts.join(', ')
}

const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)

function sayPlan(plan: SyncPlan, { deletes }: Wanted, { print }: Session): number {
  const facts = {
    created: pathsOf(plan.created),
    changed: pathsOf(plan.changed),
    deleted: deletes ? pathsOf(plan.extra) : [],
    failed: [],
  }
  const lines = [
    ...facts.created.map((path) => `+ ${path}`),
    ...facts.changed.map((path) => `~ ${path}`),
    ...facts.deleted.map((path) => `- ${path}`),
    `Nothing was done; it would be: ${countsOf(plan, facts)}`,
  ]
  print({ ...facts, unchanged: plan.unchanged.length }, () =>
    lines.map((line) => `${printable(line)}\n`).join(''),
  )
  return exitCodes.ok
}
