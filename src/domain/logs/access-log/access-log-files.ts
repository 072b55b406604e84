import { createHash } from 'node:crypto'

import type { Log } from '../../../lib/log.ts'
import type { BackupTarget } from '../../../ports/backups/backup-target.ts'
import {
  type AccessLine,
  type ClosedFile,
  createFileOfLines,
  type FileOfLines,
} from './file-of-lines.ts'

/** Takes lines over, oldest first; nobody waits for where they go. */
export interface AccessLogOutlet extends AsyncDisposable {
  add(lines: readonly AccessLine[]): void
  /** Lines that nobody had room for, or that could not be written before the end. */
  readonly lost: number
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

/** Of lines that wait for a target that is slow or away, compressed ones among them. */
const maxWaitingBytes = 64 * 2 ** 20
const tryEveryMs = 5_000

/** Compressed files, each with lines of one hour, in the order of their names: `2026/11/28/19/20261128T195503Z-…`. */
export function createAccessLogFiles(dependencies: Dependencies): AccessLogOutlet {
  const { everyMs, process, extension } = dependencies
  const writer = createFileWriter(dependencies)
  let open: FileOfLines | undefined
  let files = 0

  function addOne(line: AccessLine): void {
    if (writer.waitingBytes + (open?.characters ?? 0) + line.text.length > maxWaitingBytes) {
      writer.lose(1)
      return
    }
    if (open?.takes(line) === true) {
      open.add(line)
      return
    }
    close()
    files += 1
    open = createFileOfLines(line, `${process}-${files}${extension}.gz`)
  }

  function close(): void {
    if (open !== undefined) writer.take(open)
    open = undefined
  }

  const timers = [setInterval(close, everyMs), setInterval(() => void writer.write(), tryEveryMs)]
  return {
    add: (lines) => lines.forEach(addOne),
    get lost() {
      return writer.lost
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      close()
      await writer.finish()
    },
  }
}

/** Writes files one after the other; those that the target does not take wait, and are tried again. */
function createFileWriter({ target, log }: Pick<Dependencies, 'target' | 'log'>) {
  const waiting = createWaitingFiles()
  let writing: Promise<void> | undefined
  let lost = 0
  let isFailing = false

  /** Once, until it works again. */
  function complain(fields: { readonly error?: unknown; readonly lost?: number }): void {
    if (!isFailing) log.warn('the access log could not be written', { to: target.place, ...fields })
    isFailing = true
  }

  async function writeAll(): Promise<void> {
    await waiting.closed()
    for (let file = waiting.first; file !== undefined; file = waiting.first) {
      try {
        await target.put(file.name, pieceOf(file.bytes))
      } catch (error) {
        complain({ error })
        return
      }
      waiting.drop(file)
      if (isFailing) log.info('the access log is written again', { to: target.place, lost })
      isFailing = false
    }
  }

  const write = (): Promise<void> =>
    (writing ??= writeAll().finally(() => {
      writing = undefined
    }))

  return {
    write,
    take: (file: FileOfLines): void => waiting.take(file),
    lose(lines: number): void {
      lost += lines
      complain({ lost })
    },
    get waitingBytes() {
      return waiting.sizeBytes
    },
    get lost() {
      return lost
    },
    async finish(): Promise<void> {
      await writing
      await write()
      const { lines } = waiting
      if (lines > 0) log.warn('the end of the access log is lost', { to: target.place, lines })
      lost += lines
    },
  }
}

/** Files that nothing is added to any more, oldest first, and what they take. */
function createWaitingFiles() {
  const files: ClosedFile[] = []
  let closing: Promise<void> = Promise.resolve()
  let sizeBytes = 0

  async function closeAfter(others: Promise<void>, file: FileOfLines): Promise<void> {
    await others
    const closed = await file.close()
    sizeBytes += closed.bytes.length - file.characters
    files.push(closed)
  }

  return {
    take(file: FileOfLines): void {
      sizeBytes += file.characters
      closing = closeAfter(closing, file)
    },
    /** Resolves once all that were taken until now are compressed. */
    closed: () => closing,
    get first() {
      return files[0]
    },
    drop(file: ClosedFile): void {
      files.splice(files.indexOf(file), 1)
      sizeBytes -= file.bytes.length
    },
    get sizeBytes() {
      return sizeBytes
    },
    get lines() {
      return files.reduce((sum, { lines }) => sum + lines, 0)
    },
  }
}

const pieceOf = (bytes: Uint8Array<ArrayBuffer>) => ({
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: (start: number, end: number) => Promise.resolve(bytes.slice(start, end)),
})
