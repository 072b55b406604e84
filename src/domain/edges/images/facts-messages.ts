import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'

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
  const { header, summary, analysis } = facts
  return { sha256, header, summary, analysis, text: undefined }
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
