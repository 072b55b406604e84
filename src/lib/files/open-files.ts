import { closeSync } from 'node:fs'

import { isNamedFile, openOfSize, type SendableFile } from './sendable-file.ts'

interface Options {
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number
  /** Calls `act` after so many milliseconds, unless it is disposed of before; where left out, a timer does. */
  readonly later?: (afterMs: number, act: () => void) => Disposable
}

/** Whole files that were sent a moment ago and are open still. */
export interface OpenFiles extends Disposable {
  /** `undefined` where `body` is not a whole file of this machine, of so many bytes. */
  open(body: unknown, sizeBytes: number): SendableFile | undefined
  /** Has none kept but for the responses under way. */
  clear(): void
}

interface OpenFile {
  readonly descriptor: number
  readonly sizeBytes: number
  readonly openedMs: number
  /** How many responses are sent from it. */
  users: number
  isForgotten: boolean
}

const maxCount = 64
/** A file that was removed is let go of after as long. */
const keptMs = 2_000

/**
 * Keeps files open for a moment: of a file that is asked for again and again, opening, measuring and closing it take
 * as long as the kernel does to send 100 KB of it. Only for files whose bytes never change.
 */
export function createOpenFiles({ monotonicMs, later = timer }: Options): OpenFiles {
  const files = new Map<string, OpenFile>()
  let sweeping: Disposable | undefined

  function forget(path: string, file: OpenFile): void {
    files.delete(path)
    file.isForgotten = true
    if (file.users === 0) closeSync(file.descriptor)
  }

  /** They are in the order in which they were opened. */
  function sweep(): void {
    sweeping = undefined
    for (const [path, file] of files) if (isOld(file)) forget(path, file)
    if (files.size > 0) sweeping = later(keptMs, sweep)
  }

  function clear(): void {
    for (const [path, file] of files) forget(path, file)
  }

  const isOld = ({ openedMs }: OpenFile): boolean => monotonicMs() - openedMs >= keptMs

  function opened(path: string, sizeBytes: number): OpenFile | undefined {
    const known = files.get(path)
    if (known !== undefined && known.sizeBytes === sizeBytes && !isOld(known)) return known
    if (known !== undefined) forget(path, known)
    const descriptor = openOfSize(path, sizeBytes)
    if (descriptor === undefined) return undefined
    const file = { descriptor, sizeBytes, openedMs: monotonicMs(), users: 0, isForgotten: false }
    files.set(path, file)
    for (const [oldest, each] of files) if (files.size > maxCount) forget(oldest, each)
    sweeping ??= later(keptMs, sweep)
    return file
  }

  return {
    open(body, sizeBytes) {
      if (!isNamedFile(body)) return undefined
      const file = opened(body.name, sizeBytes)
      if (file === undefined) return undefined
      file.users += 1
      let isClosed = false
      return {
        descriptor: file.descriptor,
        start: 0,
        end: sizeBytes,
        close() {
          if (isClosed) return
          isClosed = true
          file.users -= 1
          if (file.users === 0 && file.isForgotten) closeSync(file.descriptor)
        },
      }
    },
    clear,
    [Symbol.dispose]() {
      sweeping?.[Symbol.dispose]()
      clear()
    },
  }
}

function timer(afterMs: number, act: () => void): Disposable {
  const timeout = setTimeout(act, afterMs)
  timeout.unref()
  return { [Symbol.dispose]: () => clearTimeout(timeout) }
}
