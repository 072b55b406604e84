import type { OutputFormat } from '../../ports/renderer.ts'
import type { AcceptedFormats } from './accepted-formats.ts'

export interface PictureTraits {
  readonly isAnimated: boolean
  readonly hasAlpha: boolean
}

/**
 * The encoding for `format=auto`. AVIF and WebP go only to clients that name them: many that send
 * a wildcard alone cannot show them. A client that wants an older format more gets that. Where
 * nothing fits, the answer is one that every client can show.
 */
export function chooseFormat(accepted: AcceptedFormats, traits: PictureTraits): OutputFormat {
  const candidates = traits.isAnimated ? movingCandidates(traits) : stillCandidates(traits)
  const wanted = candidates.filter((format) => isOffered(format, accepted))
  const bestWeight = Math.max(0, ...wanted.map((format) => accepted[format].weight))
  return wanted.find((format) => accepted[format].weight === bestWeight) ?? stillFallback(traits)
}

const needsName: ReadonlySet<OutputFormat> = new Set(['avif', 'webp'])

const isOffered = (format: OutputFormat, accepted: AcceptedFormats): boolean =>
  accepted[format].weight > 0 && (accepted[format].isNamed || !needsName.has(format))

/** Of equally wanted ones the first wins. */
const stillCandidates = (traits: PictureTraits): readonly OutputFormat[] =>
  traits.hasAlpha ? ['avif', 'webp', 'png', 'jpeg'] : ['avif', 'webp', 'jpeg', 'png']

/** The encoder of AVIF here writes single frames, so what can move comes first. */
const movingCandidates = (traits: PictureTraits): readonly OutputFormat[] => [
  'webp',
  'gif',
  ...stillCandidates(traits).filter((format) => format !== 'webp'),
]

const stillFallback = ({ hasAlpha }: PictureTraits): OutputFormat => (hasAlpha ? 'png' : 'jpeg')
