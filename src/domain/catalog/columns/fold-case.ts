/**
 * The spelling in which words and paths are compared without letter case. Both sigmas of lower case
 * become one: which of them `toLowerCase` picks depends on what follows, so that without this a text
 * and a part of it could fold apart.
 */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

/** The words of a search text. */
export const wordsOf = (query: string): readonly string[] =>
  query.split(/\s+/u).filter((word) => word !== '')
