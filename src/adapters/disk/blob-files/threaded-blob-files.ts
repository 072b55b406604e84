import { Worker } from 'node:worker_threads'

import { Mutex } from '../../../lib/async/mutex.ts'
import { programFile } from '../../../lib/files/program-files.ts'
import { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'
import {
  type BlobFileOutcome,
  type BlobFiles,
  faultOf,
  FlushFault,
  type NewBlobFile,
  type PlacesToFlush,
  type SentFault,
} from './blob-files.ts'

/** What the thread is told; it answers each with one report, in order. */
export type BlobFileMessage =
  | { readonly kind: 'write'; readonly incoming: string; readonly files: readonly NewBlobFile[] }
  | { readonly kind: 'flush'; readonly places: PlacesToFlush }

export type SentOutcome = { readonly firstMade: string | undefined } | { readonly fault: SentFault }

export type BlobFileReport =
  | { readonly kind: 'written'; readonly outcomes: readonly SentOutcome[] }
  | { readonly kind: 'flushed' }
  | { readonly kind: 'failed'; readonly fault: SentFault; readonly isOfFlush: boolean }

/** So many bytes at most wait for the thread twice: here and there. */
const atOnce = 128
/** Files; whoever is next waits for so many flushes. */
const flushedAtOnce = 256

/**
 * The same in a thread of its own, begun when it is first needed: to create a file waits for the journal while a
 * flush of anybody's is under way, and whoever is answered here would wait with it.
 *
 * @param incoming - where files are written before they get their names.
 */
export function threadedBlobFiles(incoming: string): BlobFiles {
  const turns = new Mutex()
  let thread: Worker | undefined

  async function ask(message: BlobFileMessage): Promise<BlobFileReport> {
    using _turn = await turns.acquire()
    thread ??= start()
    const asked = thread
    const { promise, resolve, reject } = Promise.withResolvers<BlobFileReport>()
    const ended = (cause: unknown): void => {
      thread = undefined
      reject(threadEnded(cause))
    }
    asked.once('message', resolve)
    asked.once('error', ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    asked.postMessage(message)
    try {
      return await promise
    } finally {
      asked.off('message', resolve)
      asked.off('error', ended)
    }
  }

  async function flush(places: PlacesToFlush): Promise<void> {
    const report = await ask({ kind: 'flush', places })
    if (report.kind !== 'failed') return
    const fault = faultOf(report.fault)
    throw report.isOfFlush ? new FlushFault('A flush failed', { cause: fault }) : fault
  }

  return {
    atOnce,
    async write(files) {
      const report = await ask({ kind: 'write', incoming, files })
      return report.kind === 'written' ? report.outcomes.map(outcomeOf) : []
    },
    async flush({ files, directories }) {
      for (const some of slicesOf(files)) await flush({ files: some, directories: [] })
      for (const some of slicesOf(directories)) await flush({ files: [], directories: some })
    },
    async [Symbol.asyncDispose]() {
      using _turn = await turns.acquire()
      await thread?.terminate()
    },
  }
}

function start(): Worker {
  const started = new Worker(programFile('src/adapters/disk/blob-files/blob-file-thread.ts'))
  started.unref()
  return started
}

const outcomeOf = (told: SentOutcome): BlobFileOutcome =>
  'fault' in told ? { fault: faultOf(told.fault) } : told

const threadEnded = (cause: unknown) =>
  new StoreUnavailableError('The thread that writes blobs ended', {
    store: 'blobs',
    final: false,
    cause,
  })

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let done = 0; done < items.length; done += flushedAtOnce)
    yield items.slice(done, done + flushedAtOnce)
}
