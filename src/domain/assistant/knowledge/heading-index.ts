import type { Passage } from './passage.ts'
import { foldedWords, isEmptyWord } from './terms.ts'

/** A heading that has what was typed, with the first passage below it. */
export interface HeadingMatch {
  readonly passage: Passage
  /** How much it counts beside what passages score. */
  readonly share: number
}

export interface HeadingIndex {
  /** By URL: headings with, for each word, one that begins with it. */
  match(question: string): ReadonlyMap<string, HeadingMatch>
}

interface Heading {
  readonly passage: Passage
  readonly words: readonly string[]
  readonly isPage: boolean
}

/** Longer questions are sentences, and no heading has all their words. */
const maxWords = 8
const pageShare = 0.7
const sectionShare = 0.5

/** Finds headings as their words are being typed: `cust dom` is `Custom domains`. */
export function createHeadingIndex(passages: readonly Passage[]): HeadingIndex {
  let headings: readonly Heading[] | undefined
  return {
    match(question) {
      const typed = foldedWords(question).filter((word) => !isEmptyWord(word))
      const matches = new Map<string, HeadingMatch>()
      if (typed.length === 0 || typed.length > maxWords) return matches
      for (const heading of (headings ??= headingsOf(passages))) {
        const share = shareOf(heading, typed)
        if (share > 0) matches.set(heading.passage.url, { passage: heading.passage, share })
      }
      return matches
    },
  }
}

/** Short headings are more about a word than long ones that have it too. */
function shareOf({ words, isPage }: Heading, typed: readonly string[]): number {
  const isThere = (word: string): boolean => words.some((each) => each.startsWith(word))
  if (!typed.every(isThere)) return 0
  const closeness = Math.min(1, typed.length / words.length)
  return (isPage ? pageShare : sectionShare) * (0.5 + closeness / 2)
}

function headingsOf(passages: readonly Passage[]): readonly Heading[] {
  const byUrl = new Map<string, Heading>()
  for (const passage of passages) {
    if (byUrl.has(passage.url)) continue
    const parts = passage.title.split(' › ')
    const words = foldedWords(parts.at(-1) ?? '').filter((word) => !isEmptyWord(word))
    byUrl.set(passage.url, { passage, words, isPage: parts.length === 1 })
  }
  return [...byUrl.values()]
}
