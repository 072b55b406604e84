import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Change,
  Commit,
  CommitRequest,
  Plan,
  Put,
} from '../../../ports/content/content-store.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import { commitBody } from '../read/commit-text.ts'
import { type DirectorySource, withPending } from '../tree/directory-source.ts'
import type { Directory } from '../tree/directory.ts'
import { largeBlobBytes, type LargeBlobs } from './large-blobs.ts'
import { objectId } from '../objects/object-id.ts'
import { type PackedObject, packObject } from '../objects/pack-format.ts'
import { SnapshotTree } from '../tree/snapshot-tree.ts'
import { editTree, type EntryChange } from '../tree/tree-edit.ts'

/** Where a branch is: its newest commit, that commit's tree and time. */
export interface Head {
  readonly commitId: string | undefined
  readonly rootId: string
  readonly seconds: number
}

/** What came of a plan. Not to be told before the commits ahead of it in its group are durable. */
export type Outcome =
  | { readonly kind: 'committed'; readonly commit: Commit }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The plan has to run again once these are in the repository. */
  | { readonly kind: 'postponed'; readonly blobs: readonly BlobRef[] }

interface Dependencies {
  readonly directories: DirectorySource
  readonly blobReader: BlobReader
  readonly blobs: BlobStore
  readonly largeBlobs: LargeBlobs
  readonly now: () => Date
}

/** More than this is not held in memory for one flush. */
const fullBytes = 16 * 2 ** 20
const treeLevel = 1

/** Commits that are in memory only, each on top of the one before, to be made durable by one flush. */
export class Group {
  readonly #needs: Dependencies
  readonly #objectById = new Map<string, PackedObject>()
  readonly #directories: DirectorySource
  readonly addedDirectories = new Map<string, Directory>()
  readonly replacedIds: string[] = []
  readonly commits: Commit[] = []
  head: Head
  #sizeBytes = 0

  constructor(head: Head, needs: Dependencies) {
    this.head = head
    this.#needs = needs
    this.#directories = withPending(this.addedDirectories, needs.directories)
  }

  get isFull(): boolean {
    return this.#sizeBytes >= fullBytes
  }

  /** Whether it builds on objects that came by a fetch and are in none of our packs. */
  get hasFetched(): boolean {
    return this.commits.some(
      ({ request, changes }) =>
        request.mergedId !== undefined ||
        changes.some((change) => change.kind === 'put' && change.content?.from === 'fetched'),
    )
  }

  get objects(): readonly PackedObject[] {
    return [...this.#objectById.values()]
  }

  /** Runs a plan on the newest tree. Where it fails the group is as it was. */
  async add(request: CommitRequest, plan: Plan): Promise<Outcome> {
    try {
      const changes = (await plan(this.#tree())) ?? []
      if (changes.length === 0 && request.mergedId === undefined) return { kind: 'unchanged' }
      const blobs = this.#notStaged(changes)
      if (blobs.length > 0) return { kind: 'postponed', blobs }
      return { kind: 'committed', commit: await this.#commit(request, changes) }
    } catch (error) {
      return { kind: 'refused', error }
    }
  }

  #tree(): SnapshotTree {
    const { rootId } = this.head
    return new SnapshotTree({
      directories: this.#directories,
      blobs: this.#needs.blobReader,
      rootId: () => rootId,
    })
  }

  #notStaged(changes: readonly Change[]): BlobRef[] {
    const blobs = changes.flatMap((change) =>
      change.kind === 'put' && change.content === undefined ? [change.blob] : [],
    )
    return blobs.filter((ref) => isLarge(ref) && this.#needs.largeBlobs.idOf(ref) === undefined)
  }

  async #commit(request: CommitRequest, changes: readonly Change[]): Promise<Commit> {
    const objects: PackedObject[] = []
    const entries = await this.#name(changes, objects)
    const edited = await editTree(this.#directories, this.head.rootId, entries)
    for (const [id, { bytes }] of edited.added)
      objects.push(packObject({ id, kind: 'tree', body: bytes }, treeLevel))
    const parentId = this.head.commitId
    const seconds = Math.max(this.head.seconds, Math.floor(this.#needs.now().getTime() / 1000))
    const body = commitBody({ treeId: edited.rootId, parentId, request, seconds, changes })
    const id = objectId('commit', body)
    objects.push(packObject({ id, kind: 'commit', body }, treeLevel))
    this.#keep(objects)
    for (const [treeId, directory] of edited.added) this.addedDirectories.set(treeId, directory)
    this.replacedIds.push(...edited.replacedIds)
    this.head = { commitId: id, rootId: edited.rootId, seconds }
    const commit = { id, request, parentId, committedAt: new Date(seconds * 1000), changes }
    this.commits.push(commit)
    return commit
  }

  /** Gives each put git's name for its bytes; the bytes that have to be written come to `objects`. */
  async #name(changes: readonly Change[], objects: PackedObject[]): Promise<EntryChange[]> {
    const entries: EntryChange[] = []
    for (const change of changes)
      entries.push(
        change.kind === 'delete'
          ? change
          : { kind: 'put', path: change.path, blobId: await this.#blobId(change, objects) },
      )
    return entries
  }

  async #blobId({ blob, path, content }: Put, objects: PackedObject[]): Promise<string> {
    const staged = isLarge(blob) ? this.#needs.largeBlobs.idOf(blob) : undefined
    const id = content?.id ?? staged ?? (await this.#pack({ blob, path }, objects))
    this.#needs.blobReader.remember(id, blob)
    return id
  }

  async #pack(
    { blob, path }: Pick<Put, 'blob' | 'path'>,
    objects: PackedObject[],
  ): Promise<string> {
    const body = await this.#needs.blobs.read(blob.sha256)
    if (body?.length !== blob.sizeBytes)
      throw new Error(`The blob ${blob.sha256} is not in the blob store, or not whole`)
    const id = objectId('blob', body)
    if (!this.#objectById.has(id))
      objects.push(packObject({ id, kind: 'blob', body }, deflateLevel(path)))
    return id
  }

  #keep(objects: readonly PackedObject[]): void {
    for (const object of objects) {
      if (this.#objectById.has(object.id)) continue
      this.#objectById.set(object.id, object)
      this.#sizeBytes += object.bytes.length
    }
  }
}

const isLarge = ({ sizeBytes }: BlobRef) => sizeBytes >= largeBlobBytes

/** Media types whose bytes are compressed already. */
const compressed: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp avif heic heif jxl mp4 m4v m4s m4a mov webm mkv mp3 aac ogg opus flac ' +
    'woff woff2 zip gz br zst xz bz2 7z pdf ts'
  ).split(' '),
)

/** 0 stores the bytes as they are, 1 is zlib's fastest. */
const deflateLevel = (path: string): 0 | 1 =>
  compressed.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ? 0 : 1
