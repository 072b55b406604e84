import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Change, Put } from '../../../ports/content/content-store.ts'
import type { SnapshotTree } from '../tree/snapshot-tree.ts'
import { attributesName } from './attribute-lines.ts'
import type { LargeFiles } from './large-files.ts'
import { looksLikePointer, mayBePointer } from './pointer.ts'

/** How git is to have a change: the bytes themselves, or a pointer to them. */
export type FormedChange =
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'plain'; readonly put: Put }
  | { readonly kind: 'pointer'; readonly put: Put }
  /** Others want these attributes; those that large files here need come on top. */
  | { readonly kind: 'attributes'; readonly directory: string; readonly text: string }

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'read'>
  readonly largeFiles: LargeFiles
}

/** SHA-256: the content ids of large files are what they are, and not what git calls a pointer to them. */
const largeContentIdPattern = /^[0-9a-f]{64}$/u

/** Thousands of changes let requests be answered meanwhile. */
const changesPerTurn = 1_000

export class PutForms {
  readonly #blobs: Pick<BlobStore, 'read'>
  readonly #largeFiles: LargeFiles

  constructor({ blobs, largeFiles }: Dependencies) {
    this.#blobs = blobs
    this.#largeFiles = largeFiles
  }

  async of(changes: readonly Change[], tree: SnapshotTree): Promise<readonly FormedChange[]> {
    const formed: FormedChange[] = []
    const turns = takeTurns(changesPerTurn)
    for (const change of changes) {
      formed.push(await this.#formOf(change, tree))
      await turns.after(1)
    }
    return formed
  }

  /** Those that a commit must not point at before their bytes would survive a power cut. */
  notSecured(changes: readonly FormedChange[]): readonly Put[] {
    return changes.flatMap((change) =>
      change.kind === 'pointer' &&
      !isLargeContent(change.put) &&
      !this.#largeFiles.isSecured(change.put.blob)
        ? [change.put]
        : [],
    )
  }

  async #formOf(change: Change, tree: SnapshotTree): Promise<FormedChange> {
    const { path } = change
    const directory = attributesDirectory(path)
    if (directory !== undefined) {
      const text = change.kind === 'put' ? await this.#textOf(change) : ''
      return { kind: 'attributes', directory, text }
    }
    if (change.kind === 'delete') return { kind: 'delete', path }
    const isPointer = await this.#isPointer(change, tree)
    return isPointer ? { kind: 'pointer', put: change } : { kind: 'plain', put: change }
  }

  /**
   * Bytes that read as a pointer are kept as a large file themselves: as they are, they would be read as
   * the file that they name, whosever that is.
   */
  async #isPointer(put: Put, tree: SnapshotTree): Promise<boolean> {
    const { blob, content, path } = put
    if (isLargeContent(put)) return true
    // What is merged stays what its own commit has made of it.
    if (content?.from === 'fetched') return false
    if (content === undefined && this.#largeFiles.isLarge(blob)) return true
    if (blob.sizeBytes > 0 && (await tree.isFiltered(path))) return true
    // Bytes that git has stay as they are where nothing makes a pointer of them.
    return content === undefined && mayBePointer(blob) && (await this.#looksLikePointer(put))
  }

  async #looksLikePointer(put: Put): Promise<boolean> {
    const bytes = await this.#bytesOf(put)
    return bytes !== undefined && looksLikePointer(bytes)
  }

  async #textOf(put: Put): Promise<string> {
    const bytes = await this.#bytesOf(put)
    if (bytes === undefined) throw new Error(`The blob ${put.blob.sha256} is not in the blob store`)
    return new TextDecoder().decode(bytes)
  }

  async #bytesOf({ blob, bytes }: Put): Promise<Uint8Array | undefined> {
    return bytes ?? (await this.#blobs.read(blob.sha256))
  }
}

/** Whether git has a pointer to it already, so that its bytes were secured once. */
const isLargeContent = ({ content }: Put): boolean =>
  content !== undefined && largeContentIdPattern.test(content.id)

/** The directory whose attributes a path holds; `undefined` of any other path. */
export function attributesDirectory(path: string): string | undefined {
  if (path === attributesName) return ''
  return path.endsWith(`/${attributesName}`) ? path.slice(0, -attributesName.length - 1) : undefined
}
