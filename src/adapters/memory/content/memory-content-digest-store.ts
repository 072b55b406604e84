import type {
  ContentDigest,
  ContentDigestStore,
} from '../../../ports/objects/content-digest-store.ts'

/** A ContentDigestStore for tests and demos. Nothing survives the process. */
export class MemoryContentDigestStore implements ContentDigestStore {
  readonly #digestBySha256 = new Map<string, ContentDigest>()

  async find(sha256s: readonly string[]): Promise<readonly ContentDigest[]> {
    return [...new Set(sha256s)].flatMap((sha256) => this.#digestBySha256.get(sha256) ?? [])
  }

  async save(digests: readonly ContentDigest[]): Promise<void> {
    for (const digest of digests) {
      const former = this.#digestBySha256.get(digest.sha256)
      this.#digestBySha256.set(digest.sha256, { ...former, ...digest })
    }
  }

  async remove(sha256: string): Promise<void> {
    this.#digestBySha256.delete(sha256)
  }
}
