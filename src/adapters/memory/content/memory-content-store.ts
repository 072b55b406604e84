import { foldName } from '../../../lib/text/fold-name.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import {
  type Change,
  type Commit,
  type CommitListener,
  type CommitRequest,
  type ContentStore,
  type HistorySpan,
  type OutsideBlob,
  type PathContent,
  type Plan,
  type Put,
  type Tree,
  type TreeChild,
  type TreeDifference,
  type TreeDirectory,
  type TreeFile,
  UnfittingChangeError,
  type Version,
} from '../../../ports/content/content-store.ts'

import type { CommitPoint } from '../../../ports/content/past-commits.ts'

interface Dependencies {
  readonly blobs: MemoryBlobs
  readonly now?: () => Date
}

type MemoryBlobs = Pick<BlobStore, 'read' | 'receive'>
type Files = ReadonlyMap<string, BlobRef>

/** A ContentStore for tests and demos. Nothing survives the process. */
export class MemoryContentStore implements ContentStore {
  readonly #bytes: CommittedBytes
  readonly #now: () => Date
  readonly #commits: Commit[] = []
  readonly #treeByCommit = new Map<string, MemoryTree>()
  #tree: MemoryTree
  #listener: CommitListener | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor({ blobs, now = () => new Date() }: Dependencies) {
    this.#bytes = new CommittedBytes(blobs)
    this.#now = now
    this.#tree = new MemoryTree(new Map(), this.#bytes)
  }

  find: Tree['find'] = (path) => this.#tree.find(path)
  children: Tree['children'] = (directory) => this.#tree.children(directory)
  filesBelow: Tree['filesBelow'] = (directory) => this.#tree.filesBelow(directory)
  spelling: Tree['spelling'] = (path) => this.#tree.spelling(path)
  read: Tree['read'] = (path) => this.#tree.read(path)

  async probe(): Promise<void> {}

  async head(): Promise<string | undefined> {
    return this.#commits.at(-1)?.id
  }

  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined> {
    const mine = this.#last.then(() => this.#run(request, plan))
    this.#last = mine.catch(() => {})
    return mine
  }

  async *commitsAfter(after: string | undefined): AsyncIterable<Commit> {
    const place = this.#commits.findIndex(({ id }) => id === after)
    if (after !== undefined && place < 0) throw new Error(`The repository has no commit "${after}"`)
    for (const commit of this.#commits.slice(place + 1)) {
      for (const change of commit.changes)
        if (change.kind === 'put') await this.#bytes.keep(change.blob)
      yield commit
    }
  }

  async history(
    path: string,
    limit: number,
    { since, until }: Omit<HistorySpan, 'limit'> = {},
  ): Promise<readonly Omit<Commit, 'changes'>[]> {
    const first = since === undefined ? 0 : this.#placeOf(since)
    const last = until === undefined ? this.#commits.length : this.#placeOf(until)
    return this.#commits
      .slice(first, last + 1)
      .filter(({ changes }) => changes.some((change) => touches(change.path, path)))
      .toReversed()
      .slice(0, Math.max(0, limit))
      .map(({ id, request, parentId, committedAt }) => ({ id, request, parentId, committedAt }))
  }

  async versions(path: string, { limit, since, until }: HistorySpan): Promise<readonly Version[]> {
    const commits = await this.history(path, limit, { since, until })
    return Promise.all(
      commits.map(async (commit) => {
        const tree = this.#treeByCommit.get(commit.id)
        const found = await tree?.find(path)
        if (found?.kind !== 'file') return { ...commit, file: undefined }
        const open = async () => (await tree?.read(path)) ?? new Uint8Array()
        return { ...commit, file: { ...found, contentType: this.#typeIn(commit.id, path), open } }
      }),
    )
  }

  async at(commitId: string): Promise<Tree | undefined> {
    return this.#treeByCommit.get(commitId)
  }

  async differing(tree: Tree, id: string, directory: string): Promise<readonly TreeDifference[]> {
    const former = this.#treeByCommit.get(id)
    if (former === undefined) throw new Error(`The repository has no commit "${id}"`)
    const idsIn = async (each: Tree) =>
      new Map((await each.filesBelow(directory)).map(({ path, contentId }) => [path, contentId]))
    const [before, after] = [await idsIn(tree), await idsIn(former)]
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
      const [one, other] = [before.get(path), after.get(path)]
      if (one === other) return []
      return [{ path, ...(one && { before: one }), ...(other && { after: other }) }]
    })
  }

  async commitNamed(text: string): Promise<CommitPoint | 'ambiguous' | undefined> {
    if (!/^[0-9a-f]{7,40}$/u.test(text)) return undefined
    const found = this.#commits.filter(({ id }) => id.startsWith(text))
    return found.length > 1 ? 'ambiguous' : found.map(pointOf)[0]
  }

  async commitAsOf(moment: Date): Promise<CommitPoint | undefined> {
    return this.#commits
      .filter(({ committedAt }) => committedAt <= moment)
      .map(pointOf)
      .at(-1)
  }

  async buildsOn(id: string, formerId: string): Promise<boolean> {
    const former = this.#placeOf(formerId)
    return former >= 0 && this.#placeOf(id) >= former
  }

  async declaredType(commitId: string, path: string): Promise<string | undefined> {
    const newest = this.#commits
      .slice(0, this.#placeOf(commitId) + 1)
      .toReversed()
      .flatMap(({ changes }) => changes.toReversed())
      .find((change) => change.kind === 'put' && change.path === path)
    return newest?.kind === 'put' ? newest.contentType : undefined
  }

  async declaredTypes(
    commitId: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const types = new Map<string, string>()
    for (const path of paths) {
      const type = await this.declaredType(commitId, path)
      if (type !== undefined) types.set(path, type)
    }
    return types
  }

  async declaredPaths(): Promise<ReadonlySet<string>> {
    const changes = this.#commits.flatMap((commit) => commit.changes)
    return new Set(
      changes.flatMap((change) =>
        change.kind === 'put' && change.contentType !== undefined ? change.path : [],
      ),
    )
  }

  #placeOf(commitId: string): number {
    return this.#commits.findIndex(({ id }) => id === commitId)
  }

  #typeIn(commitId: string, path: string): string | undefined {
    const { changes = [] } = this.#commits.find(({ id }) => id === commitId) ?? {}
    return changes.flatMap((change) =>
      change.kind === 'put' && change.path === path ? (change.contentType ?? []) : [],
    )[0]
  }

  async *outsideBlobs(): AsyncIterable<OutsideBlob> {}

  follow(listener: CommitListener): void {
    this.#listener = listener
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last
  }

  async #run(request: CommitRequest, plan: Plan): Promise<Commit | undefined> {
    const changes = (await plan(this.#tree)) ?? []
    if (changes.length === 0 && request.mergedId === undefined) return undefined
    const commit = await this.#apply(request, changes)
    await this.#listener?.([commit])
    return commit
  }

  async #apply(request: CommitRequest, changes: readonly Change[]): Promise<Commit> {
    const files = new Map(this.#tree.files)
    for (const change of changes) await this.#change(files, change)
    const parentId = this.#commits.at(-1)?.id
    const id = sha1(`${parentId} ${this.#commits.length}`)
    const seconds = Math.floor(this.#now().getTime() / 1000)
    const earliest = this.#commits.at(-1)?.committedAt.getTime() ?? 0
    const committedAt = new Date(Math.max(seconds * 1000, earliest))
    const commit = { id, request, parentId, committedAt, changes }
    this.#commits.push(commit)
    this.#tree = new MemoryTree(files, this.#bytes)
    this.#treeByCommit.set(id, this.#tree)
    return commit
  }

  async #change(files: Map<string, BlobRef>, change: Change): Promise<void> {
    const paths = [...files.keys()]
    if (change.kind === 'delete') {
      for (const path of paths) if (isWithin(path, change.path)) files.delete(path)
      return
    }
    if (paths.some((path) => path !== change.path && touches(path, change.path)))
      throw new UnfittingChangeError(change, 'a file would be a directory')
    await this.#bytes.take(change)
    files.set(change.path, change.blob)
  }
}

/** What commits have, whatever becomes of the blob store. */
class CommittedBytes {
  readonly #blobs: MemoryBlobs
  readonly #bytesBySha256 = new Map<string, Uint8Array>()

  constructor(blobs: MemoryBlobs) {
    this.#blobs = blobs
  }

  async take({ blob, bytes = this.#bytesBySha256.get(blob.sha256) }: Put): Promise<void> {
    const taken = bytes ?? (await this.#blobs.read(blob.sha256))
    if (taken?.length !== blob.sizeBytes)
      throw new Error(`The blob ${blob.sha256} is not in the blob store`)
    this.#bytesBySha256.set(blob.sha256, taken)
  }

  async read({ sha256 }: BlobRef): Promise<Uint8Array | undefined> {
    return (await this.#blobs.read(sha256)) ?? this.#bytesBySha256.get(sha256)
  }

  async keep(blob: BlobRef): Promise<BlobRef> {
    const bytes = this.#bytesBySha256.get(blob.sha256)
    if (bytes === undefined) throw new Error(`No commit has the blob ${blob.sha256}`)
    await using incoming = await this.#blobs.receive(bytes)
    return await incoming.keep()
  }
}

class MemoryTree implements Tree {
  readonly files: Files
  readonly #bytes: CommittedBytes

  constructor(files: Files, bytes: CommittedBytes) {
    this.files = files
    this.#bytes = bytes
  }

  async find(path: string): Promise<TreeFile | TreeDirectory | undefined> {
    const ref = this.files.get(path)
    if (ref)
      return {
        kind: 'file',
        contentId: sha1(ref.sha256),
        blob: async () => ref,
        keep: () => this.#bytes.keep(ref),
        original: () => this.#bytes.read(ref),
      }
    const isDirectory = path === '' || [...this.files.keys()].some((file) => isWithin(file, path))
    return isDirectory ? { kind: 'directory' } : undefined
  }

  async children(directory: string): Promise<readonly TreeChild[]> {
    const prefix = directory === '' ? '' : `${directory}/`
    const kindByName = new Map<string, TreeChild['kind']>()
    for (const path of this.files.keys()) {
      if (!path.startsWith(prefix)) continue
      const [name = '', ...below] = path.slice(prefix.length).split('/')
      kindByName.set(name, below.length === 0 ? 'file' : 'directory')
    }
    return [...kindByName]
      .map(([name, kind]) => ({ name, kind }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  }

  async filesBelow(directory: string): Promise<readonly PathContent[]> {
    return [...this.files]
      .filter(([path]) => path !== directory && (directory === '' || isWithin(path, directory)))
      .map(([path, { sha256 }]) => ({ path, contentId: sha1(sha256) }))
  }

  async spelling(path: string): Promise<string> {
    const spelt: string[] = []
    for (const segment of path.split('/')) {
      const children = await this.children(spelt.join('/'))
      const names = children.map(({ name }) => name)
      const own = names.includes(segment)
        ? segment
        : names.find((name) => foldName(name) === foldName(segment))
      spelt.push(own ?? segment)
    }
    return spelt.join('/')
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const ref = this.files.get(path)
    return ref && this.#bytes.read(ref)
  }
}

const pointOf = ({ id, committedAt }: Commit): CommitPoint => ({ id, committedAt })

const isWithin = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}/`)

/** Whether one of the two is the other, or above it. */
const touches = (one: string, other: string) =>
  other === '' || isWithin(one, other) || isWithin(other, one)

const sha1 = (text: string) => new Bun.CryptoHasher('sha1').update(text).digest('hex')
