import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import { jsonBytes, pieceOf, readWhole } from './kept-backups.ts'

export interface Holder {
  readonly host: string
  readonly pid: number
}

interface Note extends Holder {
  readonly at: string
}

interface Options {
  readonly holder: Holder
  readonly now: () => Date
  /** Whether a process of this machine is still there. */
  readonly isRunning: (pid: number) => boolean
}

const noteName = 'writing.json'
/** A note that nobody has renewed for so long is of a process that is no more. */
const staleMs = 600_000
const renewEveryMs = 60_000

/** Somebody else writes to the target. */
export class TargetInUseError extends Error {
  override readonly name = 'TargetInUseError'
}

/** The right to write to a target until it is disposed of; throws {@link TargetInUseError} where another has it. */
export async function takeTurnAt(target: BackupTarget, options: Options): Promise<AsyncDisposable> {
  const { holder, now } = options
  const held = await readNote(target)
  if (held !== undefined && isAlive(held, options))
    throw new TargetInUseError(
      `Another backup writes to ${target.place} since ${held.at} (process ${held.pid} on ${held.host})`,
    )
  const renew = () =>
    target.put(noteName, pieceOf(jsonBytes({ ...holder, at: now().toISOString() })))
  await renew()
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await target.remove(noteName).catch(() => {})
    },
  }
}

/** A process with our own number is our former self, where each start has the same one. */
function isAlive({ host, pid, at }: Note, { holder, now, isRunning }: Options): boolean {
  if (host === holder.host) return pid !== holder.pid && isRunning(pid)
  return now().getTime() - Date.parse(at) < staleMs
}

async function readNote(target: BackupTarget): Promise<Note | undefined> {
  const bytes = await readWhole(target, noteName)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Note
  } catch {
    return undefined
  }
}
