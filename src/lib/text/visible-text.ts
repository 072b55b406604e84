/** Of a text so many times what is wanted of it is looked at: enough for blanks that become one. */
const lookedAtShare = 4

/**
 * The beginning of a text from outside, in one line, with single blanks and without what cannot be seen:
 * control characters, marks of direction, characters of no width, halves of characters. What comes from
 * outside goes through this before an expression reads it, so that no text is long for one.
 */
export function visibleText(text: string, maxLength: number): string {
  const visible = text.slice(0, lookedAtShare * maxLength).replace(/[\p{C}\p{Z}\s]+/gu, ' ')
  const cut = visible.trim().slice(0, maxLength)
  // The cut may have left one half of a character.
  return cut.isWellFormed() ? cut.trimEnd() : cut.slice(0, -1).trimEnd()
}

/** `1 asset`, `2 assets`; words that do more than take an `s` say their plural. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count} ${count === 1 ? word : plural}`
