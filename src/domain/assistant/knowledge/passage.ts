/** One fact of the documentation, short enough to be an answer. */
export interface Passage {
  /** The page and its headings: `Operating › TLS`. */
  readonly title: string
  /** Where it can be read, on this service; begins with a slash. */
  readonly url: string
  /** Markdown within one line. */
  readonly text: string
}

/** Passages as they are kept: a JSON object a line. */
export const parsePassages = (lines: string): readonly Passage[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Passage)
