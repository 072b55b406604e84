import {
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { parseWords } from '../support/parse-words.ts'
import { sayWaiting } from './backup-talk.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'put a backup into an empty data directory',
  usage: `sedge restore --from <place> [--at <id or time>] [--data-dir <directory>]

Puts a backup into an empty data directory and, where DATABASE_URL and BLOB_STORE are
set, into an empty database and a bucket. Every piece is checked by its SHA-256, the
repository by git. Broken off, it goes on where it was when it is given again. Then
start the service; nothing else is to be done, but for the keys: where they are not in
the backup, put the former keys.json into the data directory, or set them.

  --from <place>       a directory, or s3://bucket/prefix?endpoint=https://host
                       (BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY)
  --at <id or time>    the backup of that id, or the newest of that time or before, such
                       as 2026-11-23T19:00:00Z (default: the newest)
  --data-dir <path>    where to (default: DATA_DIR)

Exit codes: 0 done, 1 not done, 2 wrong use.`,
  async run(args, terminal) {
    const { values, positionals } = parseWords(args, {
      from: { type: 'string' },
      at: { type: 'string' },
      'data-dir': { type: 'string' },
    })
    const { from, at, 'data-dir': directory } = values
    if (from === undefined || positionals.length > 0)
      throw new UsageError('Say where the backup is: sedge restore --from <place>')
    return await restore({ from, at, directory }, terminal)
  },
}

interface Order {
  readonly from: string
  readonly at: string | undefined
  readonly directory: string | undefined
}

async function restore({ from, at, directory }: Order, terminal: Terminal): Promise<number> {
  const { readSettings } = await import('../../config/config.ts')
  const { lockDataDirectory } = await import('../../lib/files/data-directory-lock.ts')
  const { humanSize } = await import('../../domain/catalog/human-size.ts')
  const { restoreBackup } = await import('../../wiring/backups/restore.ts')
  const { placeOf, worldOf } = await import('./local-backup.ts')
  const given = directory === undefined ? {} : { DATA_DIR: directory }
  const settings = readSettings({ ...terminal.environment, ...given })
  const waiting = sayWaiting(terminal)
  let done = 0
  const place = placeOf(from)
  await using _lock = await lockDataDirectory(settings.dataDirectory)
  const made = await restoreBackup(
    { ...(await worldOf(settings)), onFatal: () => {} },
    {
      from: place,
      at,
      onFound: ({ id, sizeBytes }) =>
        void terminal.out.write(`Restoring ${id}, ${humanSize(sizeBytes)}\n`),
      onBytes: (count) => waiting.show(`restored ${humanSize((done += count))}`),
    },
  )
    .catch((error: unknown) => {
      throw new CommandError(error instanceof Error ? error.message : String(error))
    })
    .finally(() => waiting.end())
  terminal.out.write(`Everything is back as it was at ${made.startedAt}: sedge serve\n`)
  if (!made.hasSecrets)
    terminal.out.write(
      'The backup has no keys: put the former keys.json into the data directory, or set them, before that.\n',
    )
  return exitCodes.ok
}
