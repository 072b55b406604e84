import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { contentDigest } from '../../../lib/bytes/checksums.ts'
import type { MipFacts } from '../../../ports/media/media-facts-store.ts'
import type { Mip } from '../../../ports/media/renderer.ts'
import { fileOfName } from '../stills/still-names.ts'
import type { Variant, VariantStore } from '../../../ports/media/variant-store.ts'

/** Smaller copies of images, from which small results cost a fraction. Any may be lost. */
export interface SmallerCopies {
  /** The widths that are made of every larger image. */
  readonly widths: readonly number[]
  keep(sha256: string, mips: readonly Mip[]): Promise<readonly MipFacts[]>
  /** A file with the copy's bytes, or `undefined` where it is gone. `sha256` names the image. */
  path(mip: MipFacts, sha256: string): Promise<string | undefined>
  /** The bytes with their digest. */
  read(key: string): Promise<Pick<Variant, 'bytes' | 'digest'> | undefined>
  remove(sha256: string): Promise<void>
}

const widths = [1280, 512] as const
/** Bare pixels above this are not kept: an opaque copy is a tenth of them. */
const maxBytes = 8 * 2 ** 20

/** The bytes of a copy from elsewhere; `undefined` where there are none. */
export type FetchCopy = (key: string) => Promise<Uint8Array | undefined>

/** With `fetchCopy`, copies that are not here are fetched when they are first needed. */
export function createSmallerCopies(store: VariantStore, fetchCopy?: FetchCopy): SmallerCopies {
  const fetches = createSingleFlight<void>()

  async function fetchInto(mip: MipFacts, sha256: string): Promise<void> {
    const bytes = await fetchCopy?.(mip.key)
    if (bytes === undefined) return
    const { key, channels } = mip
    const contentType = contentTypeOf(channels !== undefined)
    const digest = contentDigest(bytes)
    const sourceSha256 = fileOfName(sha256)
    await store.put({ key, sourceSha256, contentType, bytes, digest, notes: [] })
  }

  return {
    widths,
    async keep(sha256, mips) {
      const kept: MipFacts[] = []
      for (const { bytes, width, height, raw } of mips) {
        if (bytes.length > maxBytes) continue
        const key = keyOf(sha256, width)
        const contentType = contentTypeOf(raw !== undefined)
        const digest = contentDigest(bytes)
        const sourceSha256 = fileOfName(sha256)
        await store.put({ key, sourceSha256, contentType, bytes, digest, notes: [] })
        kept.push({ width, height, key, channels: raw?.channels })
      }
      return kept
    },
    async path(mip, sha256) {
      const path = await store.path(mip.key)
      if (path !== undefined || fetchCopy === undefined) return path
      await fetches.run(mip.key, undefined, () => fetchInto(mip, sha256))
      return await store.path(mip.key)
    },
    read: (key) => store.get(key),
    remove: (sha256) => store.removeSource(fileOfName(sha256)),
  }
}

const contentTypeOf = (isRaw: boolean): string =>
  isRaw ? 'application/octet-stream' : 'image/jpeg'

const keyOf = (sha256: string, width: number): string =>
  new Bun.CryptoHasher('sha256').update(`mip|${width}|${sha256}`).digest('hex')
