import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { BackupTarget } from '../../../ports/backups/backup-target.ts'
import type { Log } from '../../../lib/log.ts'

/** Takes lines over, oldest first; nobody waits for where they go. */
export interface AccessLogOutlet extends AsyncDisposable {
  add(lines: readonly AccessLine[]): void
  /** Lines that nobody had room for, or that could not be written before the end. */
  readonly lost: number
}

export interface AccessLine {
  /** In milliseconds since the epoch. */
  readonly at: number
  /** Without its end. */
  readonly text: string
}

interface Dependencies {
  readonly target: Pick<BackupTarget, 'put' | 'place'>
  /** After so long a file is closed, however little it has; a killed process loses no more. */
  readonly everyMs: number
  /** Names this process for all time. */
  readonly process: string
  /** What the names of files end with, such as `.ndjson`. */
  readonly extension: string
  readonly log: Pick<Log, 'warn' | 'info'>
}

interface ClosedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lines: number
}

const maxFileCharacters = 8 * 2 ** 20
/** Of lines that wait for a target that is slow or away, compressed ones among them. */
const maxWaitingBytes = 64 * 2 ** 20
const tryEveryMs = 5_000

const compress = promisify(gzip)

/** Compressed files, each with lines of one hour, in the order of their names: `2026/11/28/19/20261128T195503Z-…`. */
export function createAccessLogFiles(dependencies: Dependencies): AccessLogOutlet {
  const { target, everyMs, log } = dependencies
  let open: AccessLine[] = []
  let openCharacters = 0
  let waitingBytes = 0
  let files = 0
  let lost = 0
  let isFailing = false
  const closed: ClosedFile[] = []
  let closing: Promise<void> = Promise.resolve()
  let writing: Promise<void> | undefined

  function addOne(line: AccessLine): void {
    if (waitingBytes + openCharacters + line.text.length > maxWaitingBytes) {
      lose(1)
      return
    }
    const [first] = open
    if (first !== undefined && hourOf(first.at) !== hourOf(line.at)) close()
    open.push(line)
    openCharacters += line.text.length + 1
    if (openCharacters >= maxFileCharacters) close()
  }

  function lose(lines: number): void {
    lost += lines
    complain({ lost })
  }

  /** Once, until it works again. */
  function complain(fields: { readonly error?: unknown; readonly lost?: number }): void {
    if (!isFailing) log.warn('the access log could not be written', { to: target.place, ...fields })
    isFailing = true
  }

  function close(): void {
    const [first] = open
    if (first === undefined) return
    const [lines, size] = [open, openCharacters]
    open = []
    openCharacters = 0
    files += 1
    const name = nameOf(first.at, `${dependencies.process}-${files}${dependencies.extension}.gz`)
    waitingBytes += size
    closing = closing.then(async () => {
      const text = lines.map((line) => `${line.text}\n`).join('')
      const bytes = new Uint8Array(await compress(text))
      waitingBytes += bytes.length - size
      closed.push({ name, bytes, lines: lines.length })
    })
  }

  async function writeAll(): Promise<void> {
    await closing
    for (let file = closed[0]; file !== undefined; file = closed[0]) {
      try {
        await target.put(file.name, pieceOf(file.bytes))
      } catch (error) {
        complain({ error })
        return
      }
      closed.shift()
      waitingBytes -= file.bytes.length
      if (isFailing) log.info('the access log is written again', { to: target.place, lost })
      isFailing = false
    }
  }

  /** One at a time: what comes meanwhile is written by the next. */
  const write = (): Promise<void> =>
    (writing ??= writeAll().finally(() => {
      writing = undefined
    }))

  const timers = [setInterval(close, everyMs), setInterval(() => void write(), tryEveryMs)]
  return {
    add: (lines) => lines.forEach(addOne),
    get lost() {
      return lost
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      close()
      await writing
      await write()
      const left = closed.reduce((sum, { lines }) => sum + lines, 0)
      if (left > 0) log.warn('the end of the access log is lost', { to: target.place, lines: left })
      lost += left
    },
  }
}

const hourMs = 3_600_000
const hourOf = (at: number): number => Math.floor(at / hourMs)

function nameOf(at: number, end: string): string {
  const moment = new Date(at).toISOString()
  const folders = moment.slice(0, 13).replaceAll(/[-T]/gu, '/')
  return `${folders}/${moment.slice(0, 19).replaceAll(/[-:]/gu, '')}Z-${end}`
}

const pieceOf = (bytes: Uint8Array<ArrayBuffer>) => ({
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: (start: number, end: number) => Promise.resolve(bytes.slice(start, end)),
})
