import { isFinished, type UploadItem, type UploadState } from './upload-item.ts'
import { createTransferRate } from './transfer-rate.ts'
import type { Upload, UploadWorld } from './upload-world.ts'

export interface NewUpload {
  readonly path: string
  readonly file: Blob
  readonly handle?: FileSystemFileHandle | undefined
  /** Of what was begun before: it goes on, without being compared again. */
  readonly uploadId?: string
}

export interface UploadSnapshot {
  readonly items: readonly UploadItem[]
  /** The connection is lost; what is left is sent when it is back. */
  readonly isOffline: boolean
  /** `undefined` while there is too little to tell from. */
  readonly bytesPerSecond: number | undefined
}

/** An item as it is worked on. */
export interface Entry extends Upload {
  readonly id: number
  sha256: string | undefined
  uploadId: string | undefined
  replaces: boolean
  state: UploadState
  sentBytes: number
  fault: string | undefined
  /** Whether it was refused together with others and has to be sent by itself. */
  isAlone: boolean
  /** Whether it is delivered already, whatever its sender has heard. */
  isLive: boolean
  /** Ends the request that it is sent with. */
  abort: (() => void) | undefined
  /** Whether the service has compared it with its checksum. */
  isVerified: boolean
}

/** What is on its way, and how far; whoever looks is told. */
export interface UploadBook {
  /** Those that are not under way already. */
  add(files: readonly NewUpload[]): readonly Entry[]
  all(): readonly Entry[]
  in(state: UploadState): readonly Entry[]
  mark(entry: Entry, state: UploadState, fault?: string): void
  /** `bytes` of all of them together, in their order; `newBytes` of them were sent just now. */
  progress(task: readonly Entry[], bytes: number, newBytes: number): void
  forgetFinished(): void
  isOffline(): boolean
  setOffline(isOffline: boolean): void
  readonly snapshot: () => UploadSnapshot
  subscribe(listener: () => void): () => void
}

/** Whether it is where it should be, and nothing is left to send. */
const isThere = (state: UploadState): boolean =>
  state === 'live' || state === 'stored' || state === 'unchanged'

/** Progress comes faster than anybody can look. */
const quietMs = 120

/** What has arrived of it stays where it is. */
const isHalfway = ({ state, uploadId }: Entry): boolean =>
  uploadId !== undefined && (state === 'paused' || state === 'queued' || state === 'sending')

export function createUploadBook({ now }: Pick<UploadWorld, 'now'>): UploadBook {
  const rate = createTransferRate(now)
  let entries: readonly Entry[] = []
  let lastId = 0
  let isOffline = false
  const news = createNews(() => ({
    items: entries.map((entry) => ({ ...entry })),
    isOffline,
    bytesPerSecond: rate.bytesPerSecond(),
  }))
  return {
    ...news,
    all: () => entries,
    in: (wanted) => entries.filter(({ state }) => state === wanted),
    isOffline: () => isOffline,
    setOffline(value) {
      isOffline = value
      news.changed()
    },
    add(files) {
      const underWay = new Set(
        entries.filter((entry) => !isFinished(entry)).map(({ path }) => path),
      )
      const added = files
        .filter(({ path }) => !underWay.has(path))
        .map((file) => newEntry((lastId += 1), file))
      entries = [...entries, ...added]
      news.changed()
      return added
    },
    mark(entry, state, fault) {
      entry.state = state
      entry.fault = fault
      if (!isHalfway(entry) && state !== 'sending')
        entry.sentBytes = isThere(state) ? entry.file.size : 0
      news.changed()
    },
    progress(task, bytes, newBytes) {
      rate.sent(newBytes)
      let left = bytes
      for (const entry of task) {
        entry.sentBytes = Math.min(entry.file.size, left)
        left -= entry.sentBytes
      }
      news.changed()
    },
    forgetFinished() {
      entries = entries.filter((entry) => !isFinished(entry))
      news.changed()
    },
  }
}

/** Tells of changes together, a while after the first of them. */
function createNews(take: () => UploadSnapshot) {
  const listeners = new Set<() => void>()
  let current = take()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    changed() {
      timer ??= setTimeout(() => {
        timer = undefined
        current = take()
        for (const listener of listeners) listener()
      }, quietMs)
    },
    snapshot: () => current,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const newEntry = (id: number, { path, file, handle, uploadId }: NewUpload): Entry => ({
  id,
  path,
  file,
  handle,
  uploadId,
  sha256: undefined,
  replaces: false,
  state: 'checking',
  sentBytes: 0,
  fault: undefined,
  isAlone: false,
  isLive: false,
  abort: undefined,
  isVerified: false,
})
