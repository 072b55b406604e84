import { parseArgs } from 'node:util'

import { createProgress } from '../../lib/progress.ts'
import type { Migration } from '../../wiring/content/migration.ts'
import { type Command, exitCodes, type Terminal, UsageError } from '../support/command.ts'

export const migrateDataCommand: Command = {
  name: 'migrate-data',
  summary: 'copy what is in the data directory to PostgreSQL and S3',
  usage: `sedge migrate-data [--dry-run]

Copies metadata and the certificates of domains to the database that DATABASE_URL
names and blobs to the store that BLOB_STORE names, whichever are set, and reads
everything back. The database must be
new. The service must be stopped. Nothing in the data directory is changed; the
repository and keys.json stay there and are used on. Run again, it goes on with the
blobs where it ended. With --dry-run it only says what there is to copy.

Exit codes: 0 done, 1 not done, 2 wrong use.`,
  async run(args, terminal) {
    const { values } = parseArgs({ args: [...args], options: { 'dry-run': { type: 'boolean' } } })
    const { openWorld, worldClock } = await import('../../main.ts')
    const { migrateData } = await import('../../wiring/content/migration.ts')
    const world = await openWorld(terminal.environment)
    if (world === undefined) return exitCodes.failed
    await using _lock = world.lock
    const { config, log } = world
    if (config.databaseUrl === undefined && config.blobStore === undefined)
      throw new UsageError('set DATABASE_URL, BLOB_STORE or both: they name where to copy to')
    const options = { ...worldClock, config, log, onFatal: () => {} }
    return await migrateData(options, (migration) =>
      move(migration, { isDryRun: values['dry-run'] === true, terminal }),
    )
  },
}

interface Options {
  readonly isDryRun: boolean
  readonly terminal: Terminal
}

async function move(migration: Migration, { isDryRun, terminal }: Options): Promise<number> {
  const { out, error } = terminal
  const { blobs, obstacle } = migration
  for (const line of linesOf(migration)) out.write(`${line}\n`)
  if (obstacle !== undefined) {
    error.write(`Not copied: ${obstacle}\n`)
    return exitCodes.failed
  }
  if (isDryRun) {
    out.write('Nothing was copied.\n')
    return exitCodes.ok
  }
  // Blobs first: once the rows are there, everything they speak of is.
  const progress = createProgress({
    label: 'copying',
    total: blobs?.length ?? 0,
    unit: 'blobs',
    output: error,
    monotonicMs: () => performance.now(),
  })
  await migration.copyBlobs(() => progress.advance(1))
  progress.finish()
  await migration.copyRows()
  out.write('Everything was copied and read back. Start the service with the same settings.\n')
  return exitCodes.ok
}

/** What there is to copy. */
function linesOf({ tables = [], certificateCount = 0, blobs }: Migration): readonly string[] {
  return [
    ...tables.flatMap(({ table, rowCount }) => (rowCount > 0 ? `${table}: ${rowCount} rows` : [])),
    ...(certificateCount > 0 ? [`certificates of domains: ${certificateCount}`] : []),
    ...(blobs === undefined ? [] : [`blobs: ${blobs.length}`]),
  ]
}
