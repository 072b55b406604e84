import { humanSize } from '../../domain/catalog/human-size.ts'
import { exitCodes, UsageError } from '../support/command.ts'
import { wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'
import { deleteFiles } from './manage/rm.ts'
import { cleanPath } from './remote-files.ts'
import type { SyncPlan } from './sync-plan.ts'
import { compare, localFiles, requireZone, store } from './sync-steps.ts'
import type { LocalFile } from './upload/import-plan.ts'
import { sha256OfFile } from './upload/upload.ts'

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
files together and large ones in pieces, so a sync that was interrupted goes on where it
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
  const local = await localFiles(wanted)
  await requireZone(wanted.target, session)
  const plan = await compare({ local, target: wanted.target, sha256Of: sha256OfFile }, session)
  if (wanted.isDryRun) return sayPlan(plan, wanted, session)
  const failed = await store([...plan.created, ...plan.changed], wanted, session)
  const extra = wanted.deletes ? plan.extra.map(({ path }) => path) : []
  const { deleted, failed: kept } = await deleteFiles(extra, session)
  sayResult({ plan, failed, deleted, kept }, session)
  return failed.length + kept.length === 0 ? exitCodes.ok : exitCodes.failed
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
