import type { BlobRef } from '../../ports/content/blob-store.ts'
import type { BlobFiles } from './blob-files/blob-files.ts'
import { placeOf } from './blob-layout.ts'
import type { PlacedBlobs } from './placed-blobs.ts'

interface HeldBlob {
  /** Nobody else has this array, or writes to it. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** When the bytes were last wanted. */
  readonly keptAt: Date
}

interface Dependencies {
  /** The store's. */
  readonly directory: string
  readonly placed: PlacedBlobs
  /** Of all together; what goes beyond is not taken. */
  readonly maxBytes: number
}

/** Beside its bytes: the name, and what is kept about it. */
const bytesEach = 500

/**
 * Small blobs that are in memory alone until they are made files of, at the next checkpoint or when somebody wants
 * a file. Whoever gives them has them durable elsewhere.
 */
export class HeldBlobs {
  readonly #needs: Dependencies
  readonly #blobBySha256 = new Map<string, HeldBlob>()
  #sizeBytes = 0

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  /** `false`, and nothing has changed, where there is no room. */
  hold({ sha256 }: BlobRef, blob: HeldBlob): boolean {
    const isNew = !this.#blobBySha256.has(sha256)
    if (isNew && this.#sizeBytes + weightOf(blob) > this.#needs.maxBytes) return false
    if (isNew) this.#sizeBytes += weightOf(blob)
    this.#blobBySha256.set(sha256, blob)
    return true
  }

  get(sha256: string): HeldBlob | undefined {
    return this.#blobBySha256.get(sha256)
  }

  stat(sha256: string): BlobRef | undefined {
    const held = this.#blobBySha256.get(sha256)
    return held && { sha256, sizeBytes: held.bytes.length }
  }

  renew(sha256: string, keptAt: Date): BlobRef | undefined {
    const held = this.#blobBySha256.get(sha256)
    if (held !== undefined) this.#blobBySha256.set(sha256, { ...held, keptAt })
    return this.stat(sha256)
  }

  drop(sha256: string): void {
    const held = this.#blobBySha256.get(sha256)
    if (held === undefined) return
    this.#sizeBytes -= weightOf(held)
    this.#blobBySha256.delete(sha256)
  }

  get isEmpty(): boolean {
    return this.#blobBySha256.size === 0
  }

  /** Those that are held now. */
  names(): readonly string[] {
    return [...this.#blobBySha256.keys()]
  }

  /**
   * Makes files of these, as far as they are held, to be flushed with the others that are placed. To be called in
   * the turns of their bytes. Those that cannot be written stay as they are, and one of their faults is thrown.
   */
  async write(names: readonly string[], files: BlobFiles): Promise<void> {
    const { directory, placed } = this.#needs
    const held = names.flatMap((sha256) => {
      const [blob, place] = [this.#blobBySha256.get(sha256), placeOf(directory, sha256)]
      return blob === undefined || place === undefined ? [] : [{ sha256, place, blob }]
    })
    if (held.length === 0) return
    const outcomes = await files.write(held.map(({ place: { path }, blob }) => ({ path, ...blob })))
    const faults: unknown[] = []
    for (const [index, { sha256, place }] of held.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined || 'fault' in outcome) {
        faults.push(outcome?.fault)
      } else {
        placed.flushLater(place, outcome.firstMade)
        this.drop(sha256)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
}

const weightOf = ({ bytes }: HeldBlob): number => bytes.length + bytesEach
