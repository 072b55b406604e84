import { visibleText } from '../../../lib/text/visible-text.ts'
import type { Sighting } from '../../../ports/records/vision/sighting.ts'
import { metadataLimits } from '../../content/metadata/members.ts'

/** What is kept of it at most, in characters. */
const sightingLimits = {
  altLength: 300,
  tags: 12,
  tagLength: 40,
  textLength: 1_000,
} as const

/** So many are looked at: a list may have any length. */
const maxListed = 50
const marks = /[<>&"`\\{}]+/gu

/**
 * What a model said, as words and nothing else: in one line, bounded, without what could be markup, a
 * template or a mark of direction. Whoever wrote in the image may have said it.
 */
export const soundSighting = ({ alt, tags, text, safety }: Sighting): Sighting => ({
  alt: Object.fromEntries(
    Object.entries(alt)
      .map(([language, said]) => [language, plain(said, sightingLimits.altLength)] as const)
      .filter(([, said]) => said !== ''),
  ),
  tags: soundTags(tags),
  text: plain(text, sightingLimits.textLength),
  safety,
})

/** As a person would have them: in lower case, with a hyphen for blanks, each once, in order. */
export function soundTags(tags: readonly string[]): readonly string[] {
  const sound = tags
    .slice(0, maxListed)
    .map((tag) =>
      tag.length > 4 * sightingLimits.tagLength ? '' : plain(tag, metadataLimits.tagLength),
    )
    .map((tag) => tag.toLowerCase().replace(/[\s,=()/]+/gu, '-'))
    .map((tag) => tag.replace(/^-|-$/gu, ''))
    .filter((tag) => tag !== '' && tag.length <= sightingLimits.tagLength)
  return [...new Set(sound)].slice(0, sightingLimits.tags).toSorted()
}

const plain = (text: string, maxLength: number): string =>
  visibleText(visibleText(text, maxLength).replace(marks, ' '), maxLength)
