/** A condition of a query of the log, in quotes where it must be. */
export const conditionOf = (word: string, value: string): string =>
  /[\s"]/u.test(value) ? `${word}:"${value.replaceAll('"', '')}"` : `${word}:${value}`
