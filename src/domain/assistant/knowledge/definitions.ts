import type { Passage } from './passage.ts'
import { foldedWords, isEmptyWord, otherTermsFor, termsOf } from './terms.ts'

const wordAsked: readonly RegExp[] = [
  /^\W*what(?: is|['’]s) (?:an? )?(.+)$/iu,
  /^\W*(?:what does|what do you mean by) (?:an? |the )?(.+?)(?: mean)?$/iu,
  /^\W*(?:define|explain|the meaning of|what is the meaning of) (?:an? |the )?(.+)$/iu,
]
/** It begins where a word ends, so that each run is looked at once. */
const ending = /(?<!\W)\W+$/u
/** What is longer is a description. */
const maxWords = 3

/** The word whose meaning a message with single blanks asks for, as stems: `What is a zone?` → `zon`. */
export function definedWord(message: string): readonly string[] | undefined {
  const asked = message.replace(ending, '')
  for (const pattern of wordAsked) {
    const [, word] = pattern.exec(asked) ?? []
    if (word === undefined) continue
    const words = foldedWords(word).filter((each) => !isEmptyWord(each))
    if (words.length > 0 && words.length <= maxWords) return termsOf(word)
  }
  return undefined
}

/** `What is a zone?` asks for no list of zones. */
export const asksForMeaning = (message: string): boolean =>
  /^\W*(?:what(?: is|['’]s) an? |what does .+ mean\W*$|what do you mean |define )/iu.test(
    message,
  ) && definedWord(message) !== undefined

/** The ways to say what a word means, and how sure it is that this is what is said; the first counts. */
const ways: readonly {
  readonly share: number
  readonly wordsIn: (passage: Passage) => readonly string[]
}[] = [
  { share: 1, wordsIn: ({ text }) => sentencesOf(text).slice(0, 1).flatMap(subjectOf) },
  { share: 0.9, wordsIn: ({ text }) => sentencesOf(text).flatMap(subjectOf) },
  // An item of a list, or a row of a table; a number alone says little.
  { share: 0.8, wordsIn: ({ text }) => /^([^:]{1,60}): (?:\S+ ){4}/u.exec(text)?.slice(1) ?? [] },
  {
    share: 0.7,
    wordsIn: ({ text }) => [...text.matchAll(/\*\*(.{1,60}?)\*\*/gu)].map(([, word = '']) => word),
  },
]

/** How much a passage says what a word means, 0 to 1. */
export function definitionShare(passage: Passage, word: readonly string[]): number {
  const isIt = (subject: string): boolean => sameTerms(termsOf(subject), word)
  return ways.find(({ wordsIn }) => wordsIn(passage).some(isIt))?.share ?? 0
}

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?:]) +(?=[\p{Lu}*`_])/u)

/** What comes before the verb. */
const subjectOf = (sentence: string): readonly string[] =>
  /^(?!what\b|how\b|which\b)([^.:,]{1,60}?)\s+(?:is|are|means|stands for)\b/iu
    .exec(sentence)
    ?.slice(1) ?? []

/** Whether the terms are those of the word, or say the same. */
const sameTerms = (terms: readonly string[], word: readonly string[]): boolean =>
  terms.length === word.length &&
  word.every((term) => [term, ...otherTermsFor(term)].some((each) => terms.includes(each)))
