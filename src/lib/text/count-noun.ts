/** `1 asset`, `2 assets`; words that do more than take an `s` say their plural. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count} ${count === 1 ? word : plural}`
