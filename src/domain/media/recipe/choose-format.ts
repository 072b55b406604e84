import type { OutputFormat } from '../../../ports/media/renderer.ts'
import type { AcceptedFormats } from './accepted-formats.ts'

export interface ImageTraits {
  readonly isAnimated: boolean
  readonly hasAlpha: boolean
}

/**
 * The encoding for `format=auto`. AVIF and WebP go only to clients that name them: many that send
 * a wildcard alone cannot show them. A client that wants an older format more gets that. Where
 * nothing fits, the answer is one that every client can show.
 */
export function chooseFormat(accepted: AcceptedFormats, traits: ImageTraits): OutputFormat {
  const candidates = traits.isAnimated ? movingCandidates(traits) : stillCandidates(traits)
  const wanted = candidates.filter((format) => isOffered(format, accepted))
  const weights = wanted.map((format) => weightOf(format, wanted, accepted))
  const best = wanted[weights.indexOf(Math.max(0, ...weights))]
  return best ?? stillFallback(traits)
}

/**
 * Browsers from before AVIF and WebP name PNG and leave JPEG to a wildcard of less weight, though they
 * show both as well: what is not named weighs as much as any of its kind.
 */
function weightOf(
  format: OutputFormat,
  wanted: readonly OutputFormat[],
  accepted: AcceptedFormats,
): number {
  const { weight, isNamed } = accepted[format]
  if (isNamed || needsName.has(format)) return weight
  const older = wanted.filter((each) => !needsName.has(each))
  return Math.max(...older.map((each) => accepted[each].weight))
}

const needsName: ReadonlySet<OutputFormat> = new Set(['avif', 'webp'])

const isOffered = (format: OutputFormat, accepted: AcceptedFormats): boolean =>
  accepted[format].weight > 0 && (accepted[format].isNamed || !needsName.has(format))

/** Of equally wanted ones the first wins. */
const stillCandidates = (traits: ImageTraits): readonly OutputFormat[] =>
  traits.hasAlpha ? ['avif', 'webp', 'png', 'jpeg'] : ['avif', 'webp', 'jpeg', 'png']

/** The encoder of AVIF here writes single frames, so what can move comes first. */
const movingCandidates = (traits: ImageTraits): readonly OutputFormat[] => [
  'webp',
  'gif',
  ...stillCandidates(traits).filter((format) => format !== 'webp'),
]

const stillFallback = ({ hasAlpha }: ImageTraits): OutputFormat => (hasAlpha ? 'png' : 'jpeg')
