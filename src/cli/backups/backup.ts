import type { Client } from '../../client/types.ts'
import {
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { parseWords } from '../support/parse-words.ts'
import { commonUsage, serviceCommand } from '../support/service-command.ts'
import { table } from '../support/table.ts'
import { backupFacts, progressOf, sayWaiting } from './backup-talk.ts'

const usage = `sedge backup [now | list | verify [<id>] | rm <id>]
sedge backup [now | list | verify [<id>]] --to <place>

Backs up everything that cannot be made again: the repository, large files, and every
row of the database. With BACKUP_TO the service does so by itself; this has it begin one
now, and waits until it is made. With --to it is made from here, of the data directory of
the settings (DATA_DIR, DATABASE_URL, BLOB_STORE), whether the service runs or not.

  list                 what there is, newest first
  verify [<id>]        read every piece again and compare its SHA-256 (default: the newest)
  rm <id>              delete a backup, with the pieces that no other has
  --to <place>         a directory, or s3://bucket/prefix?endpoint=https://host
                       (BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY)
${commonUsage}

Exit codes: 0 done, 1 failed or damaged, 2 wrong use, 3 not permitted, 4 not there, 5 no
service answers, 6 another one is under way.`

const actions = ['now', 'list', 'verify', 'rm'] as const
type Action = (typeof actions)[number]

interface Order {
  readonly action: Action
  readonly id: string | undefined
}

function orderOf(words: readonly string[], isNow: boolean): Order {
  const [word = 'now', id, ...rest] = words
  const action = actions.find((each) => each === word)
  if (action === undefined || rest.length > 0 || (isNow && action !== 'now'))
    throw new UsageError('Say now, list, verify or rm')
  requireIdWhereMeant(action, id)
  return { action, id }
}

function requireIdWhereMeant(action: Action, id: string | undefined): void {
  if (action === 'rm' && id === undefined) throw new UsageError('Say which: sedge backup rm <id>')
  const takesNone = action === 'now' || action === 'list'
  if (takesNone && id !== undefined)
    throw new UsageError(`sedge backup ${action} takes no other words`)
}

const options = { to: { type: 'string' }, now: { type: 'boolean', default: false } } as const
const described = { name: 'backup', summary: 'back everything up, and look after backups', usage }

/** At a running service. */
const atService = serviceCommand({
  ...described,
  options,
  plan({ positionals, values }) {
    const { action, id } = orderOf(positionals, values.now)
    return async ({ client, terminal, print }) => {
      if (action === 'rm') {
        const { Message } = await client.deleteBackup({ id: id ?? '' })
        return print({ Message }, () => `${Message}\n`)
      }
      if (action === 'list') {
        const listed = await client.listBackups()
        return print(listed, () => listText(listed))
      }
      const wanted = action === 'verify' ? (id ?? (await newestOf(client))) : undefined
      const begun =
        wanted === undefined
          ? await client.createBackup()
          : await client.verifyBackup({ id: wanted })
      const made = await waitFor(client, begun.DateStarted, terminal)
      print(made, () => backupFacts(made))
      return made.DamagedPieces === 0 ? exitCodes.ok : exitCodes.failed
    }
  },
})

export const backupCommand: Command = {
  ...described,
  async run(args, terminal) {
    const isLocal = args.some((word) => word === '--to' || word.startsWith('--to='))
    if (!isLocal) return await atService.run(args, terminal)
    const { positionals, values } = parseWords(args, {
      ...options,
      json: { type: 'boolean', default: false },
    })
    const { runLocalBackup } = await import('./local-backup.ts')
    const order = orderOf(positionals, values.now)
    return await runLocalBackup({ ...order, to: values.to ?? '', isJson: values.json }, terminal)
  },
}

async function newestOf(client: Client): Promise<string> {
  const [newest] = (await client.listBackups()).Backups
  if (newest !== undefined) return newest.Id
  throw new CommandError('There is no backup yet', exitCodes.notFound)
}

/** Until what was begun then has ended. */
async function waitFor(client: Client, startedAt: string, terminal: Terminal) {
  const waiting = sayWaiting(terminal)
  for (;;) {
    const { Running, LastEnded, Backups } = await client.listBackups()
    if (Running?.DateStarted === startedAt) {
      waiting.show(progressOf(Running))
      await Bun.sleep(500)
      continue
    }
    waiting.end()
    if (LastEnded?.Error != null) throw new CommandError(LastEnded.Error)
    const made = Backups.find(({ Id }) => Id === LastEnded?.Id)
    if (made === undefined) throw new CommandError('The service ended before it was done')
    return made
  }
}

const listText = ({ Backups, To, DateNext }: Awaited<ReturnType<Client['listBackups']>>): string =>
  To === null
    ? 'Backups are off: BACKUP_TO says where they go.\n'
    : `${table(
        ['ID', 'STATE', 'SIZE', 'NEW', 'FILES', 'SECONDS'],
        Backups.map(({ Id, State, Size, NewBytes, Files, Seconds }) =>
          [Id, State, Size, NewBytes, Files, Seconds].map((each) => String(each ?? '')),
        ),
      )}${DateNext === null ? '' : `next: ${DateNext}\n`}`
