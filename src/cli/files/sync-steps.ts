import { stat } from 'node:fs/promises'

import { CommandError, exitCodes, terminalProgress, UsageError } from '../support/command.ts'
import { refusalText } from '../support/say-error.ts'
import type { Session } from '../support/service-command.ts'
import { filesOf } from './remote-files.ts'
import { planSync, type SyncPlan } from './sync-plan.ts'
import { filesBelow, type LocalFile } from './upload/import-plan.ts'
import { createLargeFiles } from './upload/large-files.ts'
import { transferProgress } from './upload/transfer-progress.ts'
import { upload } from './upload/upload.ts'

/** A local directory, and the directory of storage that it is to be. */
interface Pair {
  readonly directory: string
  /** `<zone>/v1/…` */
  readonly target: string
}

export async function localFiles({ directory, target }: Pair): Promise<readonly LocalFile[]> {
  const facts = await stat(directory).catch(() => undefined)
  if (facts?.isDirectory() !== true) throw new UsageError(`${directory} is not a directory`)
  const files = await filesBelow(directory, target)
  // An empty directory is more likely a slip than the wish to delete everything.
  if (files.length === 0) throw new UsageError(`There are no files below ${directory}`)
  return files
}

/** Said before anything is compared or read. */
export async function requireZone(target: string, { client }: Session): Promise<void> {
  const [zone = ''] = target.split('/')
  const zones = await client.listDirectory('')
  if (!zones.some(({ ObjectName: name }) => name === zone))
    throw new CommandError(
      `There is no zone "${zone}"; sedge zones create ${zone} makes it`,
      exitCodes.notFound,
    )
}

interface Comparison {
  readonly local: readonly LocalFile[]
  readonly target: string
  readonly sha256Of: (source: string) => Promise<string>
}

/** What is to be sent and what is in storage alone. */
export async function compare(
  { local, target, sha256Of }: Comparison,
  { client, terminal }: Session,
): Promise<SyncPlan> {
  const remote = await filesOf(client, target)
  const progress = terminalProgress(
    { label: 'comparing', total: local.length, unit: 'files' },
    terminal,
  )
  const plan = await planSync({
    local,
    remote,
    async sha256Of(source) {
      progress.advance(1)
      return await sha256Of(source)
    },
  })
  progress.finish()
  return plan
}

/** Answers the paths that were refused, and says why. */
export async function store(
  files: readonly LocalFile[],
  { jobs }: { readonly jobs: number },
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
