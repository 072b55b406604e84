/**
 * The beginning of a text, in one line, without what cannot be seen: control characters, marks of
 * direction, characters of no width, halves of characters.
 */
export const visibleText = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
