import { nextTask } from './next-task.ts'
import type { Entry, UploadBook } from './upload-book.ts'
import {
  ConnectionLost,
  directoryOf,
  textOf,
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
    const onProgress = (bytes: number) => book.progress(task, bytes)
    const [first] = task
    try {
      await Promise.all(task.map(async (entry) => (entry.sha256 ??= await world.hash(entry.file))))
      if (task.length === 1 && first !== undefined) {
        await world.put(first, onProgress)
        first.isVerified = first.sha256 !== undefined
      } else await world.putAll(task, onProgress)
      for (const entry of task) markStored(entry)
    } catch (error) {
      if (error instanceof ConnectionLost) await waitForConnection(task)
      else if (task.length > 1) sendAlone(task)
      else for (const entry of task) await refuse(entry, error)
    }
  }

  const markStored = (entry: Entry): void => book.mark(entry, entry.isLive ? 'live' : 'stored')

  /** One of them is not wanted; alone, each gets its own answer. */
  function sendAlone(task: readonly Entry[]): void {
    for (const entry of task) {
      entry.isAlone = true
      book.mark(entry, 'queued')
    }
  }

  async function waitForConnection(task: readonly Entry[]): Promise<void> {
    for (const entry of task) book.mark(entry, 'queued')
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

/** SHA-256 of what is there; `undefined` where it cannot be told. */
async function storedAt(path: string, world: UploadWorld): Promise<string | undefined> {
  try {
    return (await world.list(directoryOf(path))).get(path)
  } catch {
    return undefined
  }
}
