import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { stillExtensions } from '../stills/still-formats.ts'
import type { AcceptedFormats, NegotiatedFormat } from '../recipe/accepted-formats.ts'

/** The files of one stem, e.g. `logo.svg` and `logo.png`, by what they are. */
export type StoredFormats = ReadonlyMap<NegotiatedFormat, AssetRecord>

const formatByExtension: readonly (readonly [extension: string, format: NegotiatedFormat])[] = [
  ['avif', 'avif'],
  ['webp', 'webp'],
  ['png', 'png'],
  ['jpg', 'jpeg'],
  ['jpeg', 'jpeg'],
  ['gif', 'gif'],
  ['svg', 'svg'],
  ['jxl', 'jxl'],
]

/** Where {@link findStoredFormats} and {@link findStoredStill} look. */
export function storedFormatPaths(stem: string): readonly string[] {
  const stems = [stem, stem.replace(/\.[^./]*$/u, '')]
  return [
    stem,
    ...stems.flatMap((each) => formatByExtension.map(([extension]) => `${each}.${extension}`)),
    ...stems.flatMap((each) => stillExtensions.map((extension) => `${each}.${extension}`)),
  ]
}

/** What is stored under `stem`; where that is a whole file name, under the stem of that too. */
export function findStoredFormats(manifest: Pick<Manifest, 'asset'>, stem: string): StoredFormats {
  const stored = new Map<NegotiatedFormat, AssetRecord>()
  const bare = manifest.asset(stem) ? stem.replace(/\.[^./]*$/u, '') : stem
  for (const [extension, format] of formatByExtension) {
    const asset = manifest.asset(`${bare}.${extension}`)
    if (asset && asset.category !== 'private' && !stored.has(format)) stored.set(format, asset)
  }
  return stored
}

/** A file of that stem that is no image, and of which a still may stand for one. */
export function findStoredStill(
  manifest: Pick<Manifest, 'asset'>,
  stem: string,
): AssetRecord | undefined {
  const bare = manifest.asset(stem) ? stem.replace(/\.[^./]*$/u, '') : stem
  return stillExtensions
    .map((extension) => manifest.asset(`${bare}.${extension}`))
    .find((asset) => asset !== undefined && asset.category !== 'private')
}

/** Serve a file as it is stored, or encode it. */
export type AutoChoice =
  | { readonly kind: 'stored'; readonly asset: AssetRecord }
  | {
      readonly kind: 'encode'
      readonly source: AssetRecord
      readonly format: 'avif' | 'webp' | 'png'
    }

/** What to encode from: the nearest to what its author made. */
const sourceOrder: readonly NegotiatedFormat[] = ['svg', 'png', 'jpeg', 'webp', 'avif', 'gif']
const movingSourceOrder: readonly NegotiatedFormat[] = ['gif', 'webp', ...sourceOrder]

export interface AutoOptions {
  readonly accepted: AcceptedFormats
  /** Whether files that may move come first. */
  readonly prefersMoving: boolean
  /** What is encoded from where no image is stored. */
  readonly still?: AssetRecord | undefined
}

/**
 * AVIF, then WebP, for clients that name them: as stored, else encoded. For others a stored file of
 * an older kind that they take, else PNG. `undefined` where nothing is stored.
 */
export function chooseAuto(formats: StoredFormats, options: AutoOptions): AutoChoice | undefined {
  const order = options.prefersMoving ? movingSourceOrder : sourceOrder
  const image = order.map((format) => formats.get(format)).find((asset) => asset !== undefined)
  const source = image ?? options.still
  if (source === undefined) return undefined
  const modern = modernWanted(options)
  const stored = [
    ...withStoredAlone(modern, options),
    ...(modern.length > 0 ? [] : [...olderWanted(options), 'png' as const]),
  ]
    .map((format) => formats.get(format))
    .find((asset) => asset !== undefined && isSentAsImage(asset))
  if (stored) return { kind: 'stored', asset: stored }
  return { kind: 'encode', source, format: modern[0] ?? 'png' }
}

/** Whoever stored it may have said that it is something else: then an image is made of it. */
const isSentAsImage = ({ contentType }: AssetRecord): boolean => contentType.startsWith('image/')

/** A JPEG XL is never made here; where it is stored it is as good as an AVIF. */
function withStoredAlone(
  modern: readonly ('avif' | 'webp')[],
  { accepted }: AutoOptions,
): readonly NegotiatedFormat[] {
  if (!accepted.jxl.isNamed) return modern
  const at = modern.indexOf('avif') + 1
  return [...modern.slice(0, at), 'jxl', ...modern.slice(at)]
}

/** The encoder of AVIF here writes single frames, so what can move comes first where that is wanted. */
function modernWanted({ accepted, prefersMoving }: AutoOptions): readonly ('avif' | 'webp')[] {
  const order = prefersMoving ? (['webp', 'avif'] as const) : (['avif', 'webp'] as const)
  return order
    .filter((format) => accepted[format].isNamed)
    .toSorted((a, b) => accepted[b].weight - accepted[a].weight)
}

/** An SVG is sent only to clients that name its type: it is no image for those that take all. */
const olderWanted = ({ accepted, prefersMoving }: AutoOptions): readonly NegotiatedFormat[] =>
  (['png', 'jpeg', 'gif', 'svg'] as const)
    .toSorted((a, b) => Number(prefersMoving) * (Number(b === 'gif') - Number(a === 'gif')))
    .filter((format) => (format === 'svg' ? accepted.svg.isNamed : accepted[format].weight > 0))
