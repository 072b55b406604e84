import { encode } from 'blurhash'
import { thumbHashToRGBA } from 'thumbhash'

/** More components show nothing more of what a ThumbHash has. */
const most = 4

/** The BlurHash of an image whose ThumbHash is known, for those who show that; `undefined` of a broken one. */
export function blurHashOf(thumbHash: string): string | undefined {
  const bytes = Buffer.from(thumbHash, 'base64')
  if (bytes.length < 5) return undefined
  const { w, h, rgba } = thumbHashToRGBA(bytes)
  const isWide = w >= h
  const fewer = Math.max(1, Math.round((most * Math.min(w, h)) / Math.max(w, h)))
  return encode(new Uint8ClampedArray(rgba), w, h, isWide ? most : fewer, isWide ? fewer : most)
}
