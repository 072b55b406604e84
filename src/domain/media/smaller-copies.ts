import { contentDigest } from '../../lib/content-digest.ts'
import type { MipFacts } from '../../ports/media-facts-store.ts'
import type { Mip } from '../../ports/renderer.ts'
import type { VariantStore } from '../../ports/variant-store.ts'

/** Smaller copies of pictures, from which small results cost a fraction. Any may be lost. */
export interface SmallerCopies {
  /** The widths that are made of every larger picture. */
  readonly widths: readonly number[]
  keep(sha256: string, mips: readonly Mip[]): Promise<readonly MipFacts[]>
  /** A file with the copy's bytes, or `undefined` where it is gone. */
  path(mip: MipFacts): Promise<string | undefined>
  remove(sha256: string): Promise<void>
}

const widths = [1280, 512] as const
/** Bare pixels above this are not kept: an opaque copy is a tenth of them. */
const maxBytes = 8 * 2 ** 20

export function createSmallerCopies(store: VariantStore): SmallerCopies {
  return {
    widths,
    async keep(sha256, mips) {
      const kept: MipFacts[] = []
      for (const { bytes, width, height, raw } of mips) {
        if (bytes.length > maxBytes) continue
        const key = keyOf(sha256, width)
        const contentType = raw ? 'application/octet-stream' : 'image/jpeg'
        const digest = contentDigest(bytes)
        await store.put({ key, sourceSha256: sha256, contentType, bytes, digest, notes: [] })
        kept.push({ width, height, key, channels: raw?.channels })
      }
      return kept
    },
    path: ({ key }) => store.path(key),
    remove: (sha256) => store.removeSource(sha256),
  }
}

const keyOf = (sha256: string, width: number): string =>
  new Bun.CryptoHasher('sha256').update(`mip|${width}|${sha256}`).digest('hex')
