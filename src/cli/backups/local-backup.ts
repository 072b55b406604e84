import { backupPlace } from '../../config/backup-settings.ts'
import { readSettings, type Settings } from '../../config/config.ts'
import { programVersion } from '../support/program-version.ts'
import { type LocalBackups, openLocalBackups } from '../../wiring/backups/local-backup.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { CommandError, exitCodes, type Terminal, UsageError } from '../support/command.ts'
import { table } from '../support/table.ts'
import { sayWaiting } from './backup-talk.ts'

interface LocalOrder {
  readonly action: 'now' | 'list' | 'verify' | 'rm'
  readonly id: string | undefined
  readonly to: string
  readonly isJson: boolean
}

/** Backups without the service: of the data directory of the settings, at the place that is named. */
export async function runLocalBackup(order: LocalOrder, terminal: Terminal): Promise<number> {
  const settings = readSettings(terminal.environment)
  const backups = await openLocalBackups(await worldOf(settings), placeOf(order.to))
  if (order.action === 'list') return await list(backups, order, terminal)
  if (order.action === 'verify') return await verify(backups, order, terminal)
  if (order.action === 'rm') throw new UsageError('Delete at the service: sedge backup rm <id>')
  return await take(backups, order, terminal)
}

/** Throws {@link UsageError} where it is no place of backups. */
export function placeOf(text: string) {
  try {
    return backupPlace(text)
  } catch (error) {
    throw new UsageError(`the place ${error instanceof Error ? error.message : String(error)}`)
  }
}

export const worldOf = async (settings: Settings) => ({
  config: { ...settings, version: await programVersion() },
  now: () => new Date(),
  monotonicMs: () => performance.now(),
})

async function take(
  backups: LocalBackups,
  { isJson }: LocalOrder,
  terminal: Terminal,
): Promise<number> {
  const waiting = sayWaiting(terminal)
  let [phase, done] = ['', 0]
  const show = () => waiting.show(`backup: ${phase}, ${humanSize(done)}`)
  const made = await backups
    .take({
      onPhase: (now) => ((phase = now), show()),
      onBytes: (count) => ((done += count), show()),
    })
    .finally(() => waiting.end())
  const { id, sizeBytes, newBytes, hasSecrets, missing } = made
  if (isJson) terminal.out.write(`${JSON.stringify(made)}\n`)
  else {
    terminal.out.write(`${id}  ${humanSize(sizeBytes)}, ${humanSize(newBytes)} of it new\n`)
    if (missing.length > 0)
      terminal.out.write(`${missing.length} large files were lost before and are not in it\n`)
    if (!hasSecrets)
      terminal.out.write(
        'keys.json and the keys of certificates are not in it (BACKUP_SECRETS): keep them elsewhere\n',
      )
  }
  return exitCodes.ok
}

async function list(
  backups: LocalBackups,
  { isJson }: LocalOrder,
  { out }: Terminal,
): Promise<number> {
  const all = (await backups.list()).toReversed()
  if (isJson) out.write(`${JSON.stringify(all.map(({ id, manifest }) => manifest ?? { id }))}\n`)
  else
    out.write(
      table(
        ['ID', 'SIZE', 'NEW', 'FILES'],
        all.map(({ id, manifest }) => [
          id,
          manifest === undefined ? 'damaged' : humanSize(manifest.sizeBytes),
          humanSize(manifest?.newBytes ?? 0),
          String(manifest?.files.count ?? ''),
        ]),
      ),
    )
  return exitCodes.ok
}

async function verify(
  backups: LocalBackups,
  { id }: LocalOrder,
  terminal: Terminal,
): Promise<number> {
  const all = await backups.list()
  const found = id === undefined ? all.at(-1) : all.find((each) => each.id === id)
  if (found === undefined)
    throw new CommandError(`There is no such backup in ${backups.place}`, exitCodes.notFound)
  if (found.manifest === undefined) throw new CommandError(`The manifest of ${found.id} is damaged`)
  const waiting = sayWaiting(terminal)
  let done = 0
  const faults = await backups
    .verify(found.manifest, (count) => waiting.show(`verified ${humanSize((done += count))}`))
    .finally(() => waiting.end())
  for (const sha256 of faults) terminal.out.write(`damaged or gone: ${sha256}\n`)
  if (faults.length === 0) terminal.out.write(`${found.id} is whole: ${humanSize(done)} read\n`)
  return faults.length === 0 ? exitCodes.ok : exitCodes.failed
}
