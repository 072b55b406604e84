import { takeTurns, type Turns } from '../../../lib/async/turns.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type {
  PathContent,
  Tree,
  TreeChild,
  TreeDirectory,
  TreeFile,
} from '../../../ports/content/content-store.ts'
import { attributesName } from '../lfs/attribute-lines.ts'
import { attributesIn, type AttributeSource, isKeptByLfs } from '../lfs/attribute-source.ts'
import type { LargeFiles } from '../lfs/large-files.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import type { DirectorySource } from './directory-source.ts'
import type { Directory, Entry } from './directory.ts'

/** What trees read from, whichever commit they show. */
export interface TreeSources {
  readonly directories: DirectorySource
  readonly attributes: AttributeSource
  readonly blobs: BlobReader
  readonly largeFiles: LargeFiles
}

interface Dependencies extends TreeSources {
  /** The id of the root directory; asked for at each question, so that a tree can follow a branch. */
  readonly rootId: () => string
}

/** An entry, and the directories that lead to it, the root first. */
export interface Place {
  readonly entry: Entry
  readonly directories: readonly Directory[]
}

/** A directory that is gone through, with what leads to it. */
interface Walk {
  readonly turns: Turns
  readonly directories: readonly Directory[]
  readonly segments: readonly string[]
  readonly hasAttributes: boolean
}

/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 2_000

/** The files below a root directory of the repository. */
export class SnapshotTree implements Tree {
  readonly #sources: TreeSources
  readonly #rootId: () => string
  readonly #walked = new WalkedPaths()

  constructor({ rootId, ...sources }: Dependencies) {
    this.#sources = sources
    this.#rootId = rootId
  }

  async find(path: string): Promise<TreeFile | TreeDirectory | undefined> {
    const found = isAttributes(path) ? undefined : await this.#find(path)
    if (found?.entry.kind === 'directory') return { kind: 'directory' }
    if (found?.entry.kind !== 'file') return undefined
    const { blobs, largeFiles } = this.#sources
    const { id } = found.entry
    const large = await this.#largeFile(found, path.split('/'))
    if (large === undefined)
      return {
        kind: 'file',
        contentId: id,
        blob: (): Promise<BlobRef> => blobs.ref(id),
        keep: (): Promise<BlobRef> => blobs.keep(id),
        original: () => blobs.original(id),
      }
    return {
      kind: 'file',
      contentId: large.sha256,
      blob: async () => large,
      keep: () => largeFiles.keep(large),
      original: () => largeFiles.original(large),
    }
  }

  async children(directory: string): Promise<readonly TreeChild[]> {
    const entry = await this.entry(directory)
    if (entry?.kind !== 'directory') return []
    const children: TreeChild[] = []
    for (const { name, kind } of (await this.#load(entry.id)).entries())
      if (kind !== 'other' && name !== attributesName) children.push({ name, kind })
    return inByteOrder(children)
  }

  async filesBelow(directory: string): Promise<readonly PathContent[]> {
    const files: PathContent[] = []
    const found = await this.#find(directory)
    if (found?.entry.kind !== 'directory') return files
    const directories = [...found.directories]
    if (directory !== '') directories.push(await this.#load(found.entry.id))
    const segments = directory === '' ? [] : directory.split('/')
    const rules = directories.map((each) => attributesIn(each, this.#sources.attributes))
    const hasAttributes = (await Promise.all(rules)).some((each) => each?.isSilent === false)
    const turns = takeTurns(filesPerTurn)
    await this.#collect({ directories, segments, hasAttributes, turns }, files)
    return files
  }

  async #collect(walk: Walk, files: PathContent[]): Promise<void> {
    for (const { name, kind, id } of walk.directories.at(-1)?.entries() ?? []) {
      const segments = [...walk.segments, name]
      if (kind === 'directory') await this.#collect(await this.#below(walk, segments, id), files)
      if (kind !== 'file' || name === attributesName) continue
      const place = { entry: { kind, id }, directories: walk.directories }
      const large = walk.hasAttributes ? await this.#largeFile(place, segments) : undefined
      files.push({ path: segments.join('/'), contentId: large?.sha256 ?? id })
      await walk.turns.after(1)
    }
  }

  async #below(walk: Walk, segments: readonly string[], id: string): Promise<Walk> {
    const directory = await this.#load(id)
    const rules = await attributesIn(directory, this.#sources.attributes)
    const hasAttributes = walk.hasAttributes || rules?.isSilent === false
    return { ...walk, directories: [...walk.directories, directory], segments, hasAttributes }
  }

  async spelling(path: string): Promise<string> {
    const spelt: string[] = []
    let directory: Directory | undefined = await this.#load(this.#rootId())
    for (const segment of path.split('/')) {
      const own: string | undefined = directory?.spellingOf(segment)
      spelt.push(own ?? segment)
      const entry: Entry | undefined = own === undefined ? undefined : directory?.find(own)
      directory = entry?.kind === 'directory' ? await this.#load(entry.id) : undefined
    }
    return spelt.join('/')
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const found = isAttributes(path) ? undefined : await this.#find(path)
    if (found?.entry.kind !== 'file') return undefined
    const large = await this.#largeFile(found, path.split('/'))
    const { largeFiles, blobs } = this.#sources
    return large === undefined ? blobs.read(found.entry.id) : largeFiles.read(large)
  }

  /** The bytes at `path`, none where there is no file, as a stream where they are many. */
  async open(path: string): Promise<Uint8Array | ReadableStream<Uint8Array>> {
    const found = await this.#find(path)
    if (found?.entry.kind !== 'file') return new Uint8Array()
    const large = await this.#largeFile(found, path.split('/'))
    const { largeFiles, blobs } = this.#sources
    return large === undefined ? blobs.original(found.entry.id) : largeFiles.open(large)
  }

  /** What stands at `path`, symbolic links, submodules and attributes too. */
  async entry(path: string): Promise<Entry | undefined> {
    return (await this.#find(path))?.entry
  }

  /** What the pointer at `path` stands for; `undefined` where there is any other file, or none. */
  async largeFile(path: string): Promise<BlobRef | undefined> {
    const found = await this.#find(path)
    return found?.entry.kind === 'file' ? this.#largeFile(found, path.split('/')) : undefined
  }

  /** Whether attributes that others wrote make a file at `path` a large one, whatever its size. */
  async isFiltered(path: string): Promise<boolean> {
    const segments = path.split('/')
    const directories = await this.#leadingTo(segments)
    return isKeptByLfs({ directories, segments, isOwnLeftOut: true }, this.#sources.attributes)
  }

  /** The directory at `path`; `undefined` where there is none. */
  async directory(path: string): Promise<Directory | undefined> {
    const entry = await this.entry(path)
    return entry?.kind === 'directory' ? this.#load(entry.id) : undefined
  }

  /** The directories that lead to a directory, and that itself; `undefined` where there is none. */
  async directoriesTo(path: string): Promise<readonly Directory[] | undefined> {
    const found = await this.#find(path)
    if (found?.entry.kind !== 'directory') return undefined
    return path === ''
      ? found.directories
      : [...found.directories, await this.#load(found.entry.id)]
  }

  async contentIdAt(place: Place, segments: readonly string[]): Promise<string> {
    return (await this.#largeFile(place, segments))?.sha256 ?? place.entry.id
  }

  load(id: string): Promise<Directory> {
    return this.#load(id)
  }

  /** Attributes first: without them, no file has to be looked at. */
  async #largeFile(found: Place, segments: readonly string[]): Promise<BlobRef | undefined> {
    const { attributes, blobs } = this.#sources
    const isLarge = await isKeptByLfs({ directories: found.directories, segments }, attributes)
    return isLarge ? blobs.pointer(found.entry.id) : undefined
  }

  async #find(path: string): Promise<Place | undefined> {
    if (path === '') {
      const id = this.#rootId()
      return { entry: { kind: 'directory', id }, directories: [await this.#load(id)] }
    }
    const segments = path.split('/')
    const directories = await this.#leadingTo(segments)
    const entry =
      directories.length === segments.length
        ? directories.at(-1)?.find(segments.at(-1) ?? '')
        : undefined
    return entry && { entry, directories }
  }

  /** As many of the directories above as there are. */
  async #leadingTo(segments: readonly string[]): Promise<readonly Directory[]> {
    const rootId = this.#rootId()
    const path = segments.slice(0, -1).join('/')
    const known = this.#walked.find(rootId, path)
    if (known !== undefined) return known
    const directories = await this.#walkTo(segments, rootId)
    this.#walked.note(rootId, path, directories)
    return directories
  }

  async #walkTo(segments: readonly string[], rootId: string): Promise<readonly Directory[]> {
    let directory = await this.#load(rootId)
    const directories = [directory]
    for (const segment of segments.slice(0, -1)) {
      const entry = directory.find(segment)
      if (entry?.kind !== 'directory') break
      directory = await this.#load(entry.id)
      directories.push(directory)
    }
    return directories
  }

  #load(id: string): Promise<Directory> {
    return this.#sources.directories.load(id)
  }
}

/** What the directories may weigh that are kept for being asked for again: a plan goes back and forth. */
const maxWalkedBytes = 8 * 2 ** 20
const fixedBytes = 500

/** The directories that lead to those asked for lately, of one root. */
class WalkedPaths {
  #directoriesByPath = emptyWalked()
  #rootId: string | undefined

  find(rootId: string, path: string): readonly Directory[] | undefined {
    return rootId === this.#rootId ? this.#directoriesByPath.get(path) : undefined
  }

  note(rootId: string, path: string, directories: readonly Directory[]): void {
    if (rootId !== this.#rootId) this.#directoriesByPath = emptyWalked()
    this.#rootId = rootId
    this.#directoriesByPath.set(path, directories)
  }
}

const emptyWalked = () =>
  new LruCache<readonly Directory[]>({
    maxWeight: maxWalkedBytes,
    weigh: (directories) => fixedBytes + (directories.at(-1)?.weightBytes ?? 0),
  })

const isAttributes = (path: string): boolean =>
  path === attributesName || path.endsWith(`/${attributesName}`)

/** Git orders directories as if their names ended in a slash. */
function inByteOrder(children: TreeChild[]): readonly TreeChild[] {
  if (children.every(({ kind }) => kind === 'file')) return children
  return children
    .map((child) => ({ child, bytes: Buffer.from(child.name) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ child }) => child)
}
