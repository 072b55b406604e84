import { foldName } from '../../../lib/text/fold-name.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  PathContent,
  Put,
  Tree,
  TreeChild,
  TreeDirectory,
  TreeFile,
} from '../../../ports/content/content-store.ts'

export type MemoryBlobs = Pick<BlobStore, 'read' | 'receive'>
export type Files = ReadonlyMap<string, BlobRef>

/** What commits have, whatever becomes of the blob store. */
export class CommittedBytes {
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

export class MemoryTree implements Tree {
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

export const isWithin = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}/`)

/** Whether one of the two is the other, or above it. */
export const touches = (one: string, other: string) =>
  other === '' || isWithin(one, other) || isWithin(other, one)

export const sha1 = (text: string) => new Bun.CryptoHasher('sha1').update(text).digest('hex')
