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
    const { edgeSha256 } = await printOf(file)
    if (edgeSha256 !== upload.edgeSha256 || !waiting.some(({ id }) => id === upload.id))
      return false
    leave(upload)
    queue.add([{ path: upload.path, file, handle: upload.handle, uploadId: upload.id }])
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

/** Those that no other window sends; what was cancelled while the service was away is told to it now. */
async function recall(): Promise<readonly KeptUpload[]> {
  const all = await keptUploads.all()
  for (const { id, isCancelled } of all) if (isCancelled) void dropUpload(id)
  const { locks } = navigator as { readonly locks?: LockManager }
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name))
  return all.filter(({ path, isCancelled }) => !isCancelled && !held.has(lockNameOf(path)))
}

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
    if (await goOn(upload, false)) continue
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
