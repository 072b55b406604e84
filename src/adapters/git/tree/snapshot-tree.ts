import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type {
  PathContent,
  Tree,
  TreeChild,
  TreeDirectory,
  TreeFile,
} from '../../../ports/content/content-store.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import type { DirectorySource } from './directory-source.ts'
import type { Directory, Entry } from './directory.ts'

interface Dependencies {
  readonly directories: DirectorySource
  readonly blobs: BlobReader
  /** The id of the root directory; asked for at each question, so that a tree can follow a branch. */
  readonly rootId: () => string
}

/** The files below a root directory of the repository. */
export class SnapshotTree implements Tree {
  readonly #directories: DirectorySource
  readonly #blobs: BlobReader
  readonly #rootId: () => string

  constructor({ directories, blobs, rootId }: Dependencies) {
    this.#directories = directories
    this.#blobs = blobs
    this.#rootId = rootId
  }

  async find(path: string): Promise<TreeFile | TreeDirectory | undefined> {
    const entry = await this.entry(path)
    if (entry?.kind === 'directory') return { kind: 'directory' }
    if (entry?.kind !== 'file') return undefined
    const { id } = entry
    return {
      kind: 'file',
      contentId: id,
      blob: (): Promise<BlobRef> => this.#blobs.ref(id),
      keep: (): Promise<BlobRef> => this.#blobs.keep(id),
    }
  }

  async children(directory: string): Promise<readonly TreeChild[]> {
    const entry = await this.entry(directory)
    if (entry?.kind !== 'directory') return []
    const children: TreeChild[] = []
    for (const { name, kind } of (await this.#directories.load(entry.id)).entries())
      if (kind !== 'other') children.push({ name, kind })
    return inByteOrder(children)
  }

  async filesBelow(directory: string): Promise<readonly PathContent[]> {
    const files: PathContent[] = []
    const entry = await this.entry(directory)
    if (entry?.kind === 'directory')
      await this.#collect(await this.#directories.load(entry.id), directory, files)
    return files
  }

  async #collect(directory: Directory, path: string, files: PathContent[]): Promise<void> {
    for (const { name, kind, id } of directory.entries()) {
      const below = path === '' ? name : `${path}/${name}`
      if (kind === 'file') files.push({ path: below, contentId: id })
      else if (kind === 'directory')
        await this.#collect(await this.#directories.load(id), below, files)
    }
  }

  async spelling(path: string): Promise<string> {
    const segments = path.split('/')
    const spelt: string[] = []
    let directory: Directory | undefined = await this.#directories.load(this.#rootId())
    for (const segment of segments) {
      const own: string | undefined = directory?.spellingOf(segment)
      spelt.push(own ?? segment)
      directory = own === undefined ? undefined : await this.#below(directory, own)
    }
    return spelt.join('/')
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const entry = await this.entry(path)
    return entry?.kind === 'file' ? this.#blobs.read(entry.id) : undefined
  }

  /** What stands at `path`, symbolic links and submodules too. */
  async entry(path: string): Promise<Entry | undefined> {
    let entry: Entry | undefined = { kind: 'directory', id: this.#rootId() }
    if (path === '') return entry
    for (const segment of path.split('/')) {
      if (entry?.kind !== 'directory') return undefined
      entry = (await this.#directories.load(entry.id)).find(segment)
    }
    return entry
  }

  async #below(directory: Directory | undefined, name: string): Promise<Directory | undefined> {
    const entry = directory?.find(name)
    return entry?.kind === 'directory' ? this.#directories.load(entry.id) : undefined
  }
}

/** Git orders directories as if their names ended in a slash. */
function inByteOrder(children: TreeChild[]): readonly TreeChild[] {
  if (children.every(({ kind }) => kind === 'file')) return children
  return children
    .map((child) => ({ child, bytes: Buffer.from(child.name) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ child }) => child)
}
