import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { createSingleFlight, type SingleFlight } from '../../lib/async/single-flight.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { SourceFiles } from '../../ports/content/source-files.ts'

export interface BlobSourceFilesOptions {
  readonly blobs: Pick<BlobStore, 'open'>
  /** Where copies go; nothing else may be in it. */
  readonly directory: string
  /** Copies are removed, the one asked for longest ago first, until they weigh no more than this. */
  readonly maxBytes: number
  /** Where the blob store's own file of a blob is, for a store that has files. */
  readonly ownPath?: (sha256: string) => string | undefined
  readonly now: () => number
}

/** A copy is not removed before this: somebody may be about to open it. */
const keptForMs = 60_000

interface Copy {
  readonly path: string
  readonly sizeBytes: number
  readonly askedAt: number
}

/** Removes what an earlier process has copied. */
export async function openBlobSourceFiles(
  options: BlobSourceFilesOptions,
): Promise<BlobSourceFiles> {
  await mkdir(options.directory, { recursive: true })
  for (const name of await readdir(options.directory))
    await rm(join(options.directory, name), { force: true })
  return new BlobSourceFiles(options)
}

/** The blob store's own files where it has any; else copies, made when first asked for. */
export class BlobSourceFiles implements SourceFiles {
  readonly #options: BlobSourceFilesOptions
  readonly #copyBySha256 = new Map<string, Copy>()
  readonly #copying: SingleFlight<string | undefined> = createSingleFlight()
  #sizeBytes = 0

  constructor(options: BlobSourceFilesOptions) {
    this.#options = options
  }

  async path(sha256: string): Promise<string | undefined> {
    const own = this.#options.ownPath?.(sha256)
    if (own !== undefined && (await isFile(own))) return own
    const copy = this.#copyBySha256.get(sha256)
    if (copy && (await isFile(copy.path))) return this.#remember(sha256, copy)
    const { value } = await this.#copying.run(sha256, undefined, () => this.#copy(sha256))
    return value
  }

  async forget(sha256: string): Promise<boolean> {
    const copy = this.#copyBySha256.get(sha256)
    if (copy === undefined) return false
    this.#drop(sha256, copy)
    await rm(copy.path, { force: true })
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#options.directory, { recursive: true, force: true })
  }

  async #copy(sha256: string): Promise<string | undefined> {
    const blob = await this.#options.blobs.open(sha256)
    if (blob === undefined) return undefined
    // What is put back lies where the store keeps its own.
    const own = this.#options.ownPath?.(sha256)
    if (own !== undefined && (await isFile(own))) return own
    const path = join(this.#options.directory, sha256)
    const incoming = `${path}.incoming`
    const sizeBytes = await Bun.write(incoming, new Response(blob.stream()))
    await rename(incoming, path)
    const former = this.#copyBySha256.get(sha256)
    if (former) this.#drop(sha256, former)
    this.#sizeBytes += sizeBytes
    this.#remember(sha256, { path, sizeBytes, askedAt: this.#options.now() })
    await this.#makeRoom()
    return path
  }

  #remember(sha256: string, copy: Copy): string {
    this.#copyBySha256.delete(sha256)
    this.#copyBySha256.set(sha256, { ...copy, askedAt: this.#options.now() })
    return copy.path
  }

  #drop(sha256: string, { sizeBytes }: Copy): void {
    this.#copyBySha256.delete(sha256)
    this.#sizeBytes -= sizeBytes
  }

  async #makeRoom(): Promise<void> {
    const tooYoung = this.#options.now() - keptForMs
    for (const [sha256, copy] of this.#copyBySha256) {
      if (this.#sizeBytes <= this.#options.maxBytes || copy.askedAt > tooYoung) return
      this.#drop(sha256, copy)
      await rm(copy.path, { force: true })
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
