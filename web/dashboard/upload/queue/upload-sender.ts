import { nextTask } from './next-task.ts'
import type { Entry, UploadBook } from './upload-book.ts'
import {
  ConnectionLost,
  directoryOf,
  textOf,
  UploadCancelled,
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
    for (const entry of task) book.mark(entry, 'sending')
    const control = new AbortController()
    for (const entry of task) entry.abort = () => control.abort()
    const sending = {
      onProgress: (bytes: number) => book.progress(task, bytes),
      signal: control.signal,
    }
    const [first] = task
    try {
      await Promise.all(task.map(async (entry) => (entry.sha256 ??= await world.hash(entry.file))))
      if (task.length === 1 && first !== undefined) {
        await world.put(first, sending)
        first.isVerified = first.sha256 !== undefined
      } else await world.putAll(task, sending)
      for (const entry of task) markStored(entry)
    } catch (error) {
      await handle(error, task)
    }
  }

  async function handle(error: unknown, task: readonly Entry[]): Promise<void> {
    // One of them was cancelled, and the others went with it.
    if (error instanceof UploadCancelled) sendAgain(task, book)
    else if (error instanceof ConnectionLost) await waitForConnection(task)
    // One of them is not wanted; alone, each gets its own response.
    else if (task.length > 1) sendAgain(task, book, true)
    else for (const entry of task.filter(isSending)) await refuse(entry, error)
  }

  const markStored = (entry: Entry): void => book.mark(entry, entry.isLive ? 'live' : 'stored')

  async function waitForConnection(task: readonly Entry[]): Promise<void> {
    sendAgain(task, book)
    if (book.isOffline()) return
    book.setOffline(true)
    await world.reconnect()
    book.setOffline(false)
    pump()
  }

  /** A lost answer may have been a success: then the service has these very bytes already. */
  async function refuse(entry: Entry, error: unknown): Promise<void> {
    if (!(error instanceof UploadRefused) || error.status !== 412)
      return book.mark(entry, 'failed', textOf(error))
    const stored = await storedAt(entry.path, world)
    if (entry.sha256 !== undefined && stored === entry.sha256) markStored(entry)
    else book.mark(entry, 'conflict')
  }

  return pump
}

function sendAgain(task: readonly Entry[], book: UploadBook, isAlone = false): void {
  for (const entry of task.filter(isSending)) {
    entry.isAlone ||= isAlone
    book.mark(entry, 'queued')
  }
}

/** Not cancelled meanwhile. */
const isSending = ({ state }: Entry): boolean => state === 'sending'

/** SHA-256 of what is there; `undefined` where it cannot be told. */
async function storedAt(path: string, world: UploadWorld): Promise<string | undefined> {
  try {
    return (await world.list(directoryOf(path))).get(path)
  } catch {
    return undefined
  }
}
