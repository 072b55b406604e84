import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { Point } from '../../../ports/media/renderer.ts'

/** What came as facts of an image is none. */
export class FactsMessageError extends Error {
  override readonly name = 'FactsMessageError'
}

/** One line of JSON. What is written in an image serves to find it, which edges do not. */
export const writeFacts = ({ text: _kept, ...facts }: MediaFacts): string => JSON.stringify(facts)

/** Throws a {@link FactsMessageError} where `text` is not what {@link writeFacts} writes of that image. */
export function readFacts(text: string, sha256: string): MediaFacts {
  const facts = parse(text)
  const { width = 0, height = 0 } = facts.header ?? {}
  if (facts.sha256 !== sha256 || facts.header === undefined || !(width > 0 && height > 0))
    throw new FactsMessageError('What came as facts of an image is about something else')
  const { header, analysis, focalPoint } = facts
  const point = focalPoint && readPoint(focalPoint)
  return { sha256, header, analysis, focalPoint: point, text: undefined }
}

/** Of the members nothing is known yet. */
function parse(text: string): Partial<MediaFacts> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below.
  }
  throw new FactsMessageError('What came as facts of an image is no object')
}

/** `null` takes the owner's word back. Throws where it is neither that nor a place in an image. */
export function readPoint(value: unknown): Point | undefined {
  if (value === null) return undefined
  const { x, y } = value as Partial<Point>
  if (isShare(x) && isShare(y)) return { x, y }
  throw new FactsMessageError('A focal point has x and y from 0 to 1')
}

const isShare = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1
