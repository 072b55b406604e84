import { visibleText } from '../../../lib/text/visible-text.ts'

const maxWordLength = 40
const maxWords = 24

/**
 * The words of a name or a question, without case, accents and punctuation: `HomeIcon_2` is `home`,
 * `icon`, `2`. Of a long text the beginning counts.
 */
export const wordsOf = (text: string): string[] => firstWordsOf(text, maxWords)

/** As many of them as `maxCount`. */
export function firstWordsOf(text: string, maxCount: number): string[] {
  const words = /^[ -~]*$/u.test(text) ? plainWordsOf(text) : anyWordsOf(text)
  return (words ?? []).slice(0, maxCount).map((word) => word.slice(0, maxWordLength))
}

/** Of plain letters, which most names are of: these are asked for with every change of an asset. */
const plainWordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+|[0-9]+/gu)

const anyWordsOf = (text: string) =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu)

/** The words without what is between them; quick for plain letters, for it is asked of many names. */
export const lettersOf = (text: string): string =>
  /^[ -~]*$/u.test(text) ? text.toLowerCase().replace(/[^a-z0-9]+/gu, '') : wordsOf(text).join('')

/** A question as it is worked with: its beginning, without what cannot be seen. */
export const tidyQuestion = (text: string): string => visibleText(text, 300)

/**
 * A word without the commonest English endings, so that `webhooks` and `webhook`, `stored` and `store`,
 * `located` and `location` are one.
 */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const singular = word
    .replace(/(ss|sh|ch|x)es$/u, '$1')
    .replace(/ies$/u, 'y')
    .replace(/([^su])s$/u, '$1')
  const bare = singular.replace(/(?<=\p{L}{3})(?:ing|ed|ion|er|able)$/u, '')
  return bare.replace(/(\p{L})\1$/u, '$1').replace(/(?<=\p{L}{3})e$/u, '')
}
