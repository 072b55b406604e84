import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Change,
  Commit,
  CommitRequest,
  Plan,
  Put,
} from '../../../ports/content/content-store.ts'
import { AttributeRules } from '../lfs/attribute-rules.ts'
import { type AttributeSource, withPendingAttributes } from '../lfs/attribute-source.ts'
import { attributeEdits } from '../lfs/attribute-edits.ts'
import { pointerText } from '../lfs/pointer.ts'
import { attributesDirectory, type FormedChange, type PutForms } from '../lfs/put-forms.ts'
import { commitBody } from '../read/commit-text.ts'
import { type DirectorySource, withPending } from '../tree/directory-source.ts'
import type { Directory } from '../tree/directory.ts'
import { largeBlobBytes, type LargeBlobs } from './large-blobs.ts'
import { objectId } from '../objects/object-id.ts'
import { type PackedObject, packObject } from '../objects/pack-format.ts'
import { SnapshotTree, type TreeSources } from '../tree/snapshot-tree.ts'
import { type EditedTree, editTree, type EntryChange } from '../tree/tree-edit.ts'

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
  | { readonly kind: 'postponed'; readonly blobs: Unready }

/** What has to be done before a commit may name blobs. */
export interface Unready {
  /** To be in the repository. */
  readonly staged: readonly BlobRef[]
  /** To survive a power cut in the blob store. */
  readonly secured: readonly Put[]
}

interface Dependencies {
  readonly sources: TreeSources
  readonly blobs: BlobStore
  readonly largeBlobs: LargeBlobs
  readonly forms: PutForms
  /** The root directory of a commit that is in the repository. */
  readonly rootOf: (commitId: string) => Promise<string>
  readonly now: () => Date
}

/** What a commit is made on. */
interface Ground {
  readonly rootId: string
  readonly parentId: string | undefined
  readonly mergedId: string | undefined
}

/** More than this is not held in memory for one flush. */
const fullBytes = 16 * 2 ** 20
const treeLevel = 1
/** Bytes; then requests are answered. */
const packedPerTurn = 2 ** 20
/** Small files are compressed and named at once, each in well under a millisecond. */
const namedPerTurn = 500

/** Commits that are in memory only, each on top of the one before, to be made durable by one flush. */
export class Group {
  readonly #needs: Dependencies
  readonly #objectById = new Map<string, PackedObject>()
  readonly #directories: DirectorySource
  readonly #attributes: AttributeSource
  readonly #addedAttributes = new Map<string, AttributeRules>()
  readonly addedDirectories = new Map<string, Directory>()
  readonly replacedIds: string[] = []
  readonly commits: Commit[] = []
  head: Head
  #sizeBytes = 0

  constructor(head: Head, needs: Dependencies) {
    this.head = head
    this.#needs = needs
    this.#directories = withPending(this.addedDirectories, needs.sources.directories)
    this.#attributes = withPendingAttributes(this.#addedAttributes, needs.sources.attributes)
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
      const ground = await this.#groundOf(request)
      const tree = this.#treeAt(ground.rootId)
      const changes = (await plan(tree)) ?? []
      if (changes.length === 0 && request.mergedId === undefined) return { kind: 'unchanged' }
      const formed = await this.#needs.forms.of(changes, tree)
      const blobs = this.#unready(formed)
      if (blobs.staged.length + blobs.secured.length > 0) return { kind: 'postponed', blobs }
      const told = changes.filter(({ path }) => attributesDirectory(path) === undefined)
      return { kind: 'committed', commit: await this.#commit(request, told, { formed, ground }) }
    } catch (error) {
      return { kind: 'refused', error }
    }
  }

  async #groundOf({ mergedId, isOntoMerged = false }: CommitRequest): Promise<Ground> {
    const { commitId, rootId } = this.head
    if (!isOntoMerged || mergedId === undefined) return { rootId, parentId: commitId, mergedId }
    const mergedRootId = await this.#needs.rootOf(mergedId)
    return { rootId: mergedRootId, parentId: mergedId, mergedId: commitId }
  }

  #treeAt(rootId: string, directories = this.#directories): SnapshotTree {
    const attributes = this.#attributes
    return new SnapshotTree({
      ...this.#needs.sources,
      directories,
      attributes,
      rootId: () => rootId,
    })
  }

  #unready(changes: readonly FormedChange[]): Unready {
    const blobs = changes.flatMap((change) =>
      change.kind === 'plain' && isToBeRead(change.put) ? [change.put.blob] : [],
    )
    const { largeBlobs, forms } = this.#needs
    const staged = blobs.filter((ref) => isLarge(ref) && largeBlobs.idOf(ref) === undefined)
    return { staged, secured: forms.notSecured(changes) }
  }

  async #commit(
    request: CommitRequest,
    changes: readonly Change[],
    { formed, ground }: { readonly formed: readonly FormedChange[]; readonly ground: Ground },
  ): Promise<Commit> {
    const objects: PackedObject[] = []
    const { rootId, parentId, mergedId } = ground
    const edited = await this.#edit(formed, rootId, objects)
    const turns = takeTurns(packedPerTurn)
    for (const [id, { bytes }] of edited.added) {
      objects.push(packObject({ id, kind: 'tree', body: bytes }, treeLevel))
      await turns.after(bytes.length)
    }
    const seconds = Math.max(this.head.seconds, Math.floor(this.#needs.now().getTime() / 1000))
    const parents = { parentId, mergedId }
    const body = commitBody({ treeId: edited.rootId, ...parents, request, seconds, changes })
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

  /** The tree with the changes, and then with the attributes that go with them, where there are any. */
  async #edit(
    changes: readonly FormedChange[],
    rootId: string,
    objects: PackedObject[],
  ): Promise<EditedTree> {
    const entries = await this.#name(changes, objects)
    const edited = await editTree(this.#directories, rootId, entries)
    const tree = this.#treeAt(edited.rootId, withPending(edited.added, this.#directories))
    const needs = { attributes: this.#attributes, blobs: this.#needs.sources.blobs }
    const edits = await attributeEdits(tree, changes, needs)
    if (edits.length === 0) return edited
    const attributes = edits.map(({ path, text }) =>
      text === undefined ? deletionOf(path) : this.#attributesEntry(path, text, objects),
    )
    return await editTree(this.#directories, rootId, [...entries, ...attributes])
  }

  #attributesEntry(path: string, text: string, objects: PackedObject[]): EntryChange {
    const body = Buffer.from(text)
    const id = objectId('blob', body)
    objects.push(packObject({ id, kind: 'blob', body }, treeLevel))
    this.#addedAttributes.set(id, new AttributeRules(body))
    return { kind: 'put', path, blobId: id }
  }

  /** Gives each put git's name for its bytes; the bytes that have to be written come to `objects`. */
  async #name(changes: readonly FormedChange[], objects: PackedObject[]): Promise<EntryChange[]> {
    const entries: EntryChange[] = []
    const turns = takeTurns(namedPerTurn)
    for (const change of changes) {
      await turns.after(1)
      if (change.kind === 'delete') entries.push(change)
      if (change.kind === 'pointer') entries.push(this.#pointer(change.put, objects))
      if (change.kind === 'plain') {
        const blobId = await this.#blobId(change.put, objects)
        entries.push({ kind: 'put', path: change.put.path, blobId })
      }
    }
    return entries
  }

  #pointer({ path, blob }: Put, objects: PackedObject[]): EntryChange {
    const body = pointerText(blob)
    const blobId = objectId('blob', body)
    objects.push(packObject({ id: blobId, kind: 'blob', body }, treeLevel))
    this.#needs.sources.blobs.rememberPointer(blobId, blob)
    return { kind: 'put', path, blobId }
  }

  async #blobId(put: Put, objects: PackedObject[]): Promise<string> {
    const { blob, content } = put
    const staged = isLarge(blob) ? this.#needs.largeBlobs.idOf(blob) : undefined
    const id = content?.id ?? staged ?? (await this.#pack(put, objects))
    const { blobs } = this.#needs.sources
    if (put.bytes === undefined) blobs.remember(id, blob)
    else blobs.rememberBytes(id, put.bytes)
    return id
  }

  async #pack({ blob, path, bytes }: Put, objects: PackedObject[]): Promise<string> {
    const body = bytes ?? (await this.#needs.blobs.read(blob.sha256))
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

const deletionOf = (path: string): EntryChange => ({ kind: 'delete', path })

const isToBeRead = ({ content, bytes }: Put) => content === undefined && bytes === undefined

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
