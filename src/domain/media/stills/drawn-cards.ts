import { contentDigest } from '../../../lib/bytes/checksums.ts'
import { visibleText } from '../../../lib/text/visible-text.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { type ImageHeader, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import type { VariantStore } from '../../../ports/media/variant-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import type { FocusedFacts } from '../recipe/plan/gravity.ts'
import { fileOfName } from './still-names.ts'

/** What files are shown as that have nothing to be seen: their type and name, as an SVG of ours. */
export interface DrawnCards {
  /** The facts of an asset's card, which is there from then on. */
  of(asset: Pick<AssetRecord, 'sha256' | 'name' | 'format'>): Promise<FocusedFacts>
  /** Whether it was found before that an asset has nothing but its card. */
  isKnown(sha256: string): boolean
}

/** Whether that is what something was refused for. */
export const hasNothingToSee = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.cause instanceof UnrenderableImageError &&
  error.cause.reason === 'unsupported-type'

/** How an SVG of our own names itself among stills. */
export const cardOrigin = { of: 'card' } as const

const rememberedCount = 10_000
/** Raised when cards look otherwise. */
const cardVersion = 1
const size = { width: 640, height: 480 } as const
const header: ImageHeader = {
  format: 'svg',
  ...size,
  frames: 1,
  hasAlpha: false,
  isProgressive: false,
  isSrgb: true,
  still: cardOrigin,
}

const notLookedAt = { analysis: undefined, text: undefined, focalPoint: undefined }

export function createDrawnCards(store: Pick<VariantStore, 'path' | 'put'>): DrawnCards {
  const known = new LruCache<true>({ maxWeight: rememberedCount, weigh: () => 1 })
  return {
    isKnown: (sha256) => known.get(sha256) !== undefined,
    async of({ sha256, name, format }) {
      known.set(sha256, true)
      // A card is the same whatever place of the file was asked for.
      const sourceSha256 = fileOfName(sha256)
      const svg = cardOf(name, format)
      const key = new Bun.CryptoHasher('sha256').update(`card|${cardVersion}|${svg}`).digest('hex')
      if ((await store.path(key)) === undefined) {
        const bytes = new TextEncoder().encode(svg)
        const contentType = 'image/svg+xml'
        const digest = contentDigest(bytes)
        await store.put({ key, sourceSha256, contentType, bytes, digest, notes: [] })
      }
      return { sha256: `${sourceSha256}-c${key}`, header, ...notLookedAt }
    },
  }
}

/** The key of the card, by the name that {@link DrawnCards.of} gave it. */
export const cardKeyOf = (name: string): string => name.slice(name.lastIndexOf('-c') + 2)

const maxLabel = 6
const lineLength = 30
const maxLines = 3

/** Every text in it is cut and escaped: names are whatever somebody called a file. */
export function cardOf(name: string, format: string): string {
  const label = escaped(visibleText(format, maxLabel).toUpperCase() || 'FILE')
  const lines = linesOf(visibleText(name, lineLength * maxLines + 1))
  const tspans = lines.map(
    (line, index) => `<tspan x="320" y="${366 + index * 34}">${escaped(line)}</tspan>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 640 480">`,
    '<rect width="640" height="480" fill="#eef1f4"/>',
    '<path d="M230 60h130l70 70v180a16 16 0 0 1-16 16H226a16 16 0 0 1-16-16V76a16 16 0 0 1 20-16z" fill="#fff" stroke="#b6c0ca" stroke-width="4"/>',
    '<path d="M360 60v54a16 16 0 0 0 16 16h54" fill="#eef1f4" stroke="#b6c0ca" stroke-width="4"/>',
    `<rect x="186" y="200" width="268" height="76" rx="12" fill="hsl(${hueOf(format)},45%,38%)"/>`,
    `<text x="320" y="254" font-family="Noto Sans" font-weight="700" font-size="46" text-anchor="middle" fill="#fff">${label}</text>`,
    `<text font-family="Noto Sans" font-size="26" text-anchor="middle" fill="#33404d">${tspans.join('')}</text>`,
    '</svg>',
  ].join('')
}

function linesOf(name: string): readonly string[] {
  const letters = Array.from(name)
  const lines: string[] = []
  for (let at = 0; at < letters.length && lines.length < maxLines; at += lineLength)
    lines.push(letters.slice(at, at + lineLength).join(''))
  const isCut = letters.length > lineLength * maxLines
  return isCut ? [...lines.slice(0, -1), `${lines.at(-1)?.slice(0, -1) ?? ''}…`] : lines
}

/** The same kind of file has the same colour. */
const hueOf = (format: string): number =>
  Array.from(format).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
