import type {
  EmbeddedMetadata,
  EmbeddedMetadataStore,
} from '../../../ports/media/embedded-metadata.ts'

/** An EmbeddedMetadataStore for tests and demos. Nothing survives the process. */
export class MemoryEmbeddedMetadataStore implements EmbeddedMetadataStore {
  readonly #foundBySha256 = new Map<string, EmbeddedMetadata>()

  async find(sha256: string): Promise<EmbeddedMetadata | undefined> {
    return this.#foundBySha256.get(sha256)
  }

  async save(sha256: string, found: EmbeddedMetadata): Promise<void> {
    this.#foundBySha256.set(sha256, found)
  }

  async remove(sha256: string): Promise<void> {
    this.#foundBySha256.delete(sha256)
  }
}
