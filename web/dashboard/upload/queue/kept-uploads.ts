import { SedgeError } from '../../../../src/client/errors.ts'
import { client } from '../../api/client.ts'

/** What this browser remembers of an upload until it is through, over reloads. */
export interface KeptUpload extends FilePrint {
  /** By which the service knows it. */
  readonly id: string
  /** `<zone>/v1/…`. */
  readonly path: string
  /** How far it was when it was looked at last; the service decides. */
  readonly offset: number
  /** By which the file is read again without asking for it, where the browser has that. */
  readonly handle?: FileSystemFileHandle | undefined
  /** Of what is not begun: the window that has it. The service knows nothing of it. */
  readonly window?: string
  /** Nobody wants it any more, which the service could not be told yet. */
  readonly isCancelled?: true
}

/** By which a file is known to be the same one. */
export interface FilePrint {
  readonly name: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch. */
  readonly lastModified: number
  /** Of its first and last piece; `''` where the browser cannot tell. */
  readonly edgeSha256: string
}

const edgeBytes = 65_536

export async function printOf(file: File): Promise<FilePrint> {
  const { name, size: sizeBytes, lastModified } = file
  const edges = new Blob([file.slice(0, edgeBytes), file.slice(Math.max(0, sizeBytes - edgeBytes))])
  return { name, sizeBytes, lastModified, edgeSha256: await sha256Of(edges) }
}

/** Browsers count only on pages of a secure context. */
const sha256Of = async (bytes: Blob): Promise<string> =>
  globalThis.crypto.subtle === undefined
    ? ''
    : hexOf(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()))

export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** All but `edgeSha256`, for which it has to be read. */
export const looksLike = (
  { name, sizeBytes, lastModified }: FilePrint,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean => name === file.name && sizeBytes === file.size && lastModified === file.lastModified

const databaseName = 'sedge'
const storeName = 'uploads'

/** A browser that keeps nothing forgets them when the page goes. */
export const keptUploads = {
  keep: (upload: KeptUpload): Promise<void> => attempt('readwrite', (store) => store.put(upload)),
  forget: (id: string): Promise<void> => attempt('readwrite', (store) => store.delete(id)),
  /** Both at once, in one transaction. */
  change: (kept: readonly KeptUpload[], forgotten: readonly string[]): Promise<void> =>
    attempt('readwrite', (store) => {
      for (const upload of kept) store.put(upload)
      for (const id of forgotten) store.delete(id)
    }),
  async all(): Promise<readonly KeptUpload[]> {
    let all: readonly KeptUpload[] = []
    await attempt('readonly', (store) => {
      const request = store.getAll() as IDBRequest<KeptUpload[]>
      request.addEventListener('success', () => (all = request.result))
    })
    return all
  },
}

/** Gives an upload up, at the service too; where that is away, when this page is opened next. */
export async function dropUpload(id: string): Promise<void> {
  const kept = (await keptUploads.all()).find((each) => each.id === id)
  if (kept?.window !== undefined) return await keptUploads.forget(id)
  if (kept) await keptUploads.keep({ ...kept, isCancelled: true })
  try {
    await client.cancelUpload({ id })
  } catch (error) {
    if (!isGone(error)) return
  }
  await keptUploads.forget(id)
}

/** The service has forgotten it. */
export const isGone = (error: unknown): boolean =>
  error instanceof SedgeError && (error.code === 'UploadNotFound' || error.code === 'UploadExpired')

async function attempt(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => void,
): Promise<void> {
  try {
    const database = await openDatabase()
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode)
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('abort')))
      run(transaction.objectStore(storeName))
    }).finally(() => database.close())
  } catch {
    // Uploads go on without: they only do not outlive the page.
  }
}

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore(storeName, { keyPath: 'id' }),
    )
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('closed')))
  })
