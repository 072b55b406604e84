import { nextTask } from './next-task.ts'
import type { Entry, UploadBook } from './upload-book.ts'
import {
  ConnectionLost,
  directoryOf,
  type Sending,
  textOf,
  UploadCancelled,
  UploadHeld,
  UploadRefused,
  type UploadWorld,
} from './upload-world.ts'

/** Enough to keep a connection busy while another answer is on its way. */
const lanes = 4

interface Parts {
  readonly book: UploadBook
  readonly world: UploadWorld
  /** Told when nothing is left to send. */
  readonly onDrained: () => void
}

interface Unsent {
  /** Those that nobody has said anything of meanwhile. */
  readonly left: readonly Entry[]
  /** Whether it was sent by itself. */
  readonly isAlone: boolean
}

/** Sends what is queued; answers what to call whenever there may be more. */
export function createUploadSender({ book, world, onDrained }: Parts): () => void {
  let busyLanes = 0

  function pump(): void {
    while (busyLanes < lanes && !book.isOffline()) {
      const task = nextTask(book.in('queued'))
      if (task.length === 0) return
      busyLanes += 1
      void send(task).finally(() => {
        busyLanes -= 1
        pump()
        if (busyLanes === 0 && book.in('queued').length === 0) onDrained()
      })
    }
  }

  async function send(task: readonly Entry[]): Promise<void> {
    const control = new AbortController()
    const abort = (): void => control.abort()
    for (const entry of task) {
      book.mark(entry, 'sending')
      entry.abort = abort
    }
    // Neither cancelled nor paused meanwhile, nor sent by another task since.
    const isOurs = (entry: Entry): boolean => entry.state === 'sending' && entry.abort === abort
    const [first] = task
    const sending = sendingOf(task, { book, world, signal: control.signal })
    try {
      await Promise.all(task.map(async (entry) => (entry.sha256 ??= await world.hash(entry.file))))
      if (task.length === 1 && first !== undefined) {
        await world.put(first, sending)
        first.isVerified = first.sha256 !== undefined
        markStored(first, book)
      } else settle(task, await world.putAll(task, sending), book)
    } catch (error) {
      await handle(error, { left: task.filter(isOurs), isAlone: task.length === 1 })
    }
  }

  async function handle(error: unknown, { left, isAlone }: Unsent): Promise<void> {
    // One of them was cancelled, and the others went with it.
    if (error instanceof UploadCancelled) sendAgain(left, book)
    else if (error instanceof ConnectionLost) await waitForConnection(left)
    else if (error instanceof UploadHeld)
      for (const entry of left) book.mark(entry, 'paused', error.message)
    // One of them is not wanted; alone, each gets its own response.
    else if (!isAlone) sendAgain(left, book, true)
    else for (const entry of left) await refuse(entry, error, { book, world })
  }

  async function waitForConnection(task: readonly Entry[]): Promise<void> {
    sendAgain(task, book)
    if (book.isOffline()) return
    book.setOffline(true)
    await world.reconnect()
    book.setOffline(false)
    pump()
  }

  return pump
}

interface Parties extends Pick<Parts, 'book' | 'world'> {
  readonly signal: AbortSignal
}

/** What is told of a task while it is sent. */
function sendingOf(task: readonly Entry[], { book, world, signal }: Parties): Sending {
  const [first] = task
  return {
    onProgress: countedFrom(task, (bytes, newBytes) => {
      if (!signal.aborted) book.progress(task, bytes, newBytes)
    }),
    onBegun(uploadId) {
      if (first?.state === 'cancelled') void world.drop(uploadId)
      else if (first) first.uploadId = uploadId
    },
    signal,
  }
}

/** Alone, each of those that are at fault gets its own response. */
function settle(task: readonly Entry[], refused: ReadonlySet<string>, book: UploadBook): void {
  for (const entry of task.filter(({ path }) => !refused.has(path))) {
    entry.isVerified = entry.sha256 !== undefined
    markStored(entry, book)
  }
  const left = task.filter(({ path }) => refused.has(path))
  sendAgain(left, book, true)
}

const markStored = (entry: Entry, book: UploadBook): void =>
  book.mark(entry, entry.isLive ? 'live' : 'stored')

/** A lost answer may have been a success: then the service has these very bytes already. */
async function refuse(
  entry: Entry,
  error: unknown,
  { book, world }: Pick<Parts, 'book' | 'world'>,
): Promise<void> {
  if (entry.uploadId !== undefined) void world.drop(entry.uploadId)
  entry.uploadId = undefined
  if (!(error instanceof UploadRefused) || error.status !== 412)
    return book.mark(entry, 'failed', textOf(error))
  const stored = await storedAt(entry.path, world)
  if (entry.sha256 !== undefined && stored === entry.sha256) markStored(entry, book)
  else book.mark(entry, 'conflict')
}

function sendAgain(task: readonly Entry[], book: UploadBook, isAlone = false): void {
  for (const entry of task) {
    entry.isAlone ||= isAlone
    book.mark(entry, 'queued')
  }
}

type Counted = (bytes: number, newBytes: number) => void

/** What the service had from earlier is no work of this connection. */
function countedFrom([first]: readonly Entry[], tell: Counted): (bytes: number) => void {
  let last = first?.uploadId === undefined ? 0 : undefined
  return (bytes) => {
    tell(bytes, Math.max(0, bytes - (last ?? bytes)))
    last = bytes
  }
}

/** SHA-256 of what is there; `undefined` where it cannot be told. */
async function storedAt(path: string, world: UploadWorld): Promise<string | undefined> {
  try {
    return (await world.list(directoryOf(path))).get(path)
  } catch {
    return undefined
  }
}
