import { t } from '../../language/text.ts'
import {
  createUploadBook,
  type Entry,
  type NewUpload,
  type UploadBook,
  type UploadSnapshot,
} from './upload-book.ts'
import { createUploadSender } from './upload-sender.ts'
import { maxBatchFiles } from './next-task.ts'
import type { UploadState } from './upload-item.ts'
import { ConnectionLost, directoryOf, textOf, type UploadWorld } from './upload-world.ts'

/** Files on their way to the service. Goes on whatever page is shown. */
export interface UploadQueue {
  add(files: readonly NewUpload[]): void
  /** Decides conflicts: of one item, or of all that wait for a word. */
  decide(decision: 'replace' | 'skip', id?: number): void
  /** What failed, or one of it, once more. */
  retry(id?: number): void
  /** What is not sent yet, or one of it; what was being sent is broken off. */
  cancel(id?: number): void
  /** Holds what is not sent yet, or one of it, where it is. */
  pause(id?: number): void
  /** Goes on with what was held, or with one of it. */
  goOn(id?: number): void
  /** Forgets what is finished. */
  clear(): void
  /** What is delivered now. */
  published(paths: readonly string[]): void
  /** Looks after what may have become live unheard: the stream of events was away. */
  confirm(): void
  readonly snapshot: () => UploadSnapshot
  subscribe(listener: () => void): () => void
}

export function createUploadQueue(world: UploadWorld): UploadQueue {
  const book = createUploadBook(world)
  const lookAfter = (): void => void confirm(book, world)
  const pump = createUploadSender({ book, world, onDrained: lookAfter })
  const begin = (added: readonly Entry[]): void => void examine(added, { book, world, pump })
  return {
    add: (files) => begin(book.add(files)),
    decide(decision, id) {
      for (const entry of book.in('conflict').filter(isMeant(id))) {
        entry.replaces = decision === 'replace'
        book.mark(entry, decision === 'replace' ? 'queued' : 'skipped')
      }
      pump()
    },
    retry(id) {
      const given = id === undefined ? [] : book.in('cancelled')
      const again = [...book.in('failed'), ...given].filter(isMeant(id))
      for (const entry of again) book.mark(entry, 'checking')
      begin(again)
    },
    cancel(id) {
      const open = [...unsent, 'checking' as const, 'conflict' as const, 'paused' as const]
      for (const entry of breakOff(book, { from: open, to: 'cancelled', id })) {
        if (entry.uploadId !== undefined) void world.drop(entry.uploadId)
        entry.uploadId = undefined
      }
    },
    pause: (id) => void breakOff(book, { from: unsent, to: 'paused', id }),
    goOn(id) {
      for (const entry of book.in('paused').filter(isMeant(id))) book.mark(entry, 'queued')
      pump()
    },
    clear: () => book.forgetFinished(),
    published(paths) {
      const live = new Set(paths)
      for (const entry of book.all()) {
        if (!live.has(entry.path)) continue
        entry.isLive = true
        if (entry.state === 'stored') book.mark(entry, 'live')
      }
    },
    confirm: lookAfter,
    snapshot: book.snapshot,
    subscribe: (listener) => book.subscribe(listener),
  }
}

const isMeant = (id: number | undefined) => (entry: Entry) => id === undefined || entry.id === id

const unsent = ['queued', 'sending'] as const

interface BreakingOff {
  readonly from: readonly UploadState[]
  readonly to: 'paused' | 'cancelled'
  readonly id: number | undefined
}

function breakOff(book: UploadBook, { from, to, id }: BreakingOff): readonly Entry[] {
  const meant = from.flatMap((state) => book.in(state)).filter(isMeant(id))
  const sending = meant.filter(({ state }) => state === 'sending')
  for (const entry of meant) book.mark(entry, to)
  for (const { abort } of sending) abort?.()
  return meant
}

interface Parts {
  readonly book: UploadBook
  readonly world: UploadWorld
  readonly pump: () => void
}

/** Neither refused beforehand nor cancelled meanwhile. */
const isOpen = ({ state }: Entry): boolean => state === 'checking'

/** The service has not compared it when it was begun. */
const isNew = ({ uploadId }: Entry): boolean => uploadId === undefined

/** Lets the browser do what waits, such as to send what was read. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const hashesUnderWay = 12

/** What goes on needs no comparing, and what is too large is not sent. */
async function sortOut(
  added: readonly Entry[],
  { book, world }: Pick<Parts, 'book' | 'world'>,
): Promise<void> {
  for (const entry of added) {
    if (!isNew(entry)) book.mark(entry, 'queued')
    const fault = await reaching(world, () => world.faultOf(entry.file))
    if (fault !== undefined && isOpen(entry)) book.mark(entry, 'failed', fault)
  }
}

/** Compares what was added with what is stored, so that nothing is sent or replaced for nothing. */
async function examine(added: readonly Entry[], { book, world, pump }: Parts): Promise<void> {
  try {
    const stored = await storedBeside(added.filter(isNew), world)
    const waiting: Entry[] = []
    // The first are sent while the others are looked at: to ask a browser how large a file is takes a while.
    for (let at = 0; at < added.length; at += maxBatchFiles) {
      const some = added.slice(at, at + maxBatchFiles)
      await sortOut(some, { book, world })
      waiting.push(...queueNew(some.filter(isOpen), stored, book))
      if (book.in('queued').length < maxBatchFiles) continue
      pump()
      await nextTurn()
    }
    pump()
    const compareAll = async () => {
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
        entry.sha256 = await world.hash(entry.file)
        if (!isOpen(entry)) continue
        const isSame = stored.get(entry.path) === entry.sha256
        book.mark(entry, isSame ? 'unchanged' : 'conflict')
      }
    }
    await Promise.all(Array.from({ length: hashesUnderWay }, compareAll))
  } catch (error) {
    for (const entry of added)
      if (entry.state === 'checking') book.mark(entry, 'failed', textOf(error))
  }
}

/** Answers those that are stored already, to be compared. */
function queueNew(
  open: readonly Entry[],
  stored: ReadonlyMap<string, string>,
  book: UploadBook,
): readonly Entry[] {
  const isStored = ({ path, replaces }: Entry): boolean => stored.has(path) && !replaces
  for (const entry of open) if (!isStored(entry)) book.mark(entry, 'queued')
  return open.filter(isStored)
}

/**
 * Compares what is stored with what was sent. A batch has no checksums, so this is where damage shows;
 * and what the service shows, this node delivers.
 */
async function confirm(book: UploadBook, world: UploadWorld): Promise<void> {
  const open = [...book.in('stored'), ...book.in('live').filter(({ isVerified }) => !isVerified)]
  const stored = await storedBeside(open, world)
  for (const entry of open) {
    const isSame = entry.sha256 === undefined || stored.get(entry.path) === entry.sha256
    entry.isVerified = true
    if (isSame) book.mark(entry, 'live')
    else book.mark(entry, 'failed', t('What is stored is not what was sent. Send it again.'))
  }
}

/** SHA-256 of what is in the directories that are written to, by path. */
async function storedBeside(
  added: readonly Entry[],
  world: UploadWorld,
): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>()
  for (const directory of new Set(added.map(({ path }) => directoryOf(path))))
    for (const [path, sha256] of await reaching(world, () => world.list(directory)))
      stored.set(path, sha256)
  return stored
}

async function reaching<T>(world: UploadWorld, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      await world.reconnect()
    }
  }
}
