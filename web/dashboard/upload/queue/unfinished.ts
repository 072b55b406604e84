import { client } from '../../api/client.ts'
import type { FoundFile } from '../collect-files.ts'
import {
  dropUpload,
  isGone,
  type KeptUpload,
  keptUploads,
  looksLike,
  printOf,
} from './kept-uploads.ts'
import { lockNameOf } from './large-upload.ts'
import { isFinished, type UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

/** Permissions are spoken of where files can be found again, and nowhere else. */
interface AskingHandle extends FileSystemFileHandle {
  queryPermission(wanted: { readonly mode: 'read' }): Promise<PermissionState>
  requestPermission(wanted: { readonly mode: 'read' }): Promise<PermissionState>
}

/** What was begun before this page was loaded, until its file is there again. */
export interface Unfinished {
  /** Sends those of the files on that belong to one; answers the others. */
  take(files: readonly FoundFile[], pathOf?: (file: FoundFile) => string): Promise<FoundFile[]>
  /** Reads its file again, having asked whether it may; `false` where it has to be chosen. */
  goOn(upload: KeptUpload): Promise<boolean>
  cancel(upload: KeptUpload): void
  readonly snapshot: () => readonly KeptUpload[]
  subscribe(listener: () => void): () => void
}

export function createUnfinished(queue: Pick<UploadQueue, 'add'>): Unfinished {
  let waiting: readonly KeptUpload[] = []
  const listeners = new Set<() => void>()
  const change = (next: readonly KeptUpload[]): void => {
    waiting = next
    for (const listener of listeners) listener()
  }
  const leave = ({ id }: KeptUpload): void => change(waiting.filter((each) => each.id !== id))
  const correct = (now: KeptUpload): void =>
    change(waiting.map((each) => (each.id === now.id ? now : each)))
  const recalled = recall().then(change)
  void recalled.then(() => lookAfterAll(waiting, { leave, correct, goOn }))

  /** Whether it is the file that was begun with; then it goes on. */
  async function goOnWith(upload: KeptUpload, file: File): Promise<boolean> {
    if (!looksLike(upload, file)) return false
    const { path, handle, id, window } = upload
    // Of what was not begun nothing could be joined to another file.
    const isSame = window !== undefined || (await printOf(file)).edgeSha256 === upload.edgeSha256
    if (!isSame || !waiting.some((each) => each.id === id)) return false
    leave(upload)
    if (window !== undefined) void keptUploads.forget(id)
    queue.add([{ path, file, handle, ...(window === undefined && { uploadId: id }) }])
    return true
  }

  async function goOn(upload: KeptUpload, mayAsk = true): Promise<boolean> {
    const handle = upload.handle as AskingHandle | undefined
    if (handle === undefined) return false
    try {
      const wanted = { mode: 'read' } as const
      const has = await (mayAsk ? handle.requestPermission(wanted) : handle.queryPermission(wanted))
      return has === 'granted' && (await goOnWith(upload, await handle.getFile()))
    } catch {
      // It was moved or deleted.
      return false
    }
  }

  return {
    async take(files, pathOf) {
      await recalled
      const others: FoundFile[] = []
      for (const found of files) {
        const path = pathOf?.(found)
        const fitting = waiting.filter((each) => path === undefined || each.path === path)
        let isTaken = false
        for (const each of fitting) isTaken ||= await goOnWith(each, found.file)
        if (!isTaken) others.push(found)
      }
      return others
    },
    goOn,
    cancel(upload) {
      leave(upload)
      void dropUpload(upload.id)
    },
    snapshot: () => waiting,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A page that is loaded again is there before the locks of the former one are free. */
const leavingMs = 1_000

/** Those that no other window sends; what was cancelled while the service was away is told to it now. */
async function recall(): Promise<readonly KeptUpload[]> {
  const all = await keptUploads.all()
  for (const { id, isCancelled } of all) if (isCancelled) void dropUpload(id)
  const open = all.filter(({ isCancelled }) => !isCancelled)
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return open
  const owners = [...new Set(open.map(ownerOf))]
  const signal = AbortSignal.timeout(leavingMs)
  const free = await Promise.all(owners.map((owner) => isFree(locks, owner, signal)))
  return open.filter((upload) => free[owners.indexOf(ownerOf(upload))])
}

const ownerOf = ({ path, window }: KeptUpload): string =>
  window === undefined ? lockNameOf(path) : windowLockOf(window)

const isFree = async (locks: LockManager, name: string, signal: AbortSignal): Promise<boolean> =>
  await locks.request(name, { mode: 'shared', signal }, () => true).catch(() => false)

interface Looking {
  readonly leave: (upload: KeptUpload) => void
  readonly correct: (upload: KeptUpload) => void
  readonly goOn: (upload: KeptUpload, mayAsk: boolean) => Promise<boolean>
}

/** Asks the service what became of each; what the browser may read goes on unasked. */
async function lookAfterAll(
  all: readonly KeptUpload[],
  { leave, correct, goOn }: Looking,
): Promise<void> {
  for (const upload of all) {
    if ((await goOn(upload, false)) || upload.window !== undefined) continue
    try {
      const { Offset: offset, IsComplete: isComplete } = await client.getUpload({ id: upload.id })
      if (!isComplete) {
        correct({ ...upload, offset })
        continue
      }
    } catch (error) {
      // The service is away: what it will say shows when it is sent on.
      if (!isGone(error)) continue
    }
    leave(upload)
    await keptUploads.forget(upload.id)
  }
}

/** Held as long as a window is there, so that others leave alone what it has. */
const windowLockOf = (window: string): string => `sedge window ${window}`

/**
 * Remembers what a window has and the service does not know of yet: files that wait for their turn, and
 * those of one request, of which nothing is kept before all of it has come. What is begun in pieces is
 * remembered by whoever sends it.
 */
export function keepWaiting(queue: Pick<UploadQueue, 'snapshot' | 'subscribe'>): void {
  // Without locks, nobody could tell what belongs to a window that is gone.
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return
  const window = crypto.randomUUID()
  void locks.request(windowLockOf(window), () => new Promise(() => {}))
  let known: ReadonlySet<string> = new Set()
  queue.subscribe(() => {
    const waiting = new Map(
      queue.snapshot().items.flatMap((item) => {
        const upload = waitingUpload(item, window)
        return upload === undefined ? [] : [[upload.id, upload] as const]
      }),
    )
    const added = [...waiting.values()].filter(({ id }) => !known.has(id))
    const gone = [...known].filter((id) => !waiting.has(id))
    known = new Set(waiting.keys())
    if (added.length + gone.length > 0) void keptUploads.change(added, gone)
  })
}

function waitingUpload(item: UploadItem, window: string): KeptUpload | undefined {
  const { file, path, uploadId, handle } = item
  if (isFinished(item) || uploadId !== undefined || !(file instanceof File)) return undefined
  const { name, size: sizeBytes, lastModified } = file
  const print = { name, sizeBytes, lastModified, edgeSha256: '' }
  return { ...print, id: `waiting ${window} ${path}`, path, offset: 0, handle, window }
}
