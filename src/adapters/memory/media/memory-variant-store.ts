import type { Variant, VariantStore } from '../../../ports/media/variant-store.ts'

export interface VariantLimits {
  readonly maxBytes: number
  readonly maxPerSource: number
}

/** A VariantStore for tests and demos. Nothing survives the process. */
export class MemoryVariantStore implements VariantStore {
  readonly #limits: VariantLimits
  /** The one used longest ago first. */
  readonly #variantByKey = new Map<string, Variant>()
  #sizeBytes = 0

  constructor(limits: VariantLimits) {
    this.#limits = limits
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  async get(key: string): Promise<Variant | undefined> {
    const variant = this.#variantByKey.get(key)
    if (variant) this.#touch(variant)
    return variant
  }

  async put(variant: Variant): Promise<void> {
    this.#remove(variant.key)
    if (variant.bytes.length > this.#limits.maxBytes) return
    this.#variantByKey.set(variant.key, { ...variant, bytes: Uint8Array.from(variant.bytes) })
    this.#sizeBytes += variant.bytes.length
    const siblings = this.#ofSource(variant.sourceSha256)
    for (const { key } of siblings.slice(0, -this.#limits.maxPerSource)) this.#remove(key)
    for (const key of this.#variantByKey.keys()) {
      if (this.#sizeBytes <= this.#limits.maxBytes) break
      this.#remove(key)
    }
  }

  async path(): Promise<undefined> {
    return undefined
  }

  sources(): Iterable<string> {
    return new Set(Array.from(this.#variantByKey.values(), (each) => each.sourceSha256))
  }

  async removeSource(sourceSha256: string): Promise<void> {
    const over = [...this.#variantByKey.values()].filter(({ overlaySha256s = [] }) =>
      overlaySha256s.includes(sourceSha256),
    )
    for (const { key } of [...this.#ofSource(sourceSha256), ...over]) this.#remove(key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#variantByKey.clear()
    this.#sizeBytes = 0
  }

  #touch(variant: Variant): void {
    this.#variantByKey.delete(variant.key)
    this.#variantByKey.set(variant.key, variant)
  }

  #ofSource(sourceSha256: string): readonly Variant[] {
    return [...this.#variantByKey.values()].filter((each) => each.sourceSha256 === sourceSha256)
  }

  #remove(key: string): void {
    this.#sizeBytes -= this.#variantByKey.get(key)?.bytes.length ?? 0
    this.#variantByKey.delete(key)
  }
}
