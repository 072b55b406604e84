/** What is used of a page as tesseract tells it; what there is none of may be `null`. */
export interface Page {
  readonly blocks: readonly Block[] | null
}

interface Block {
  readonly paragraphs: readonly { readonly lines: readonly Line[] | null }[] | null
}

interface Line {
  readonly words: readonly Word[] | null
}

interface Word {
  readonly text: string
  /** 0 to 100. */
  readonly confidence: number
}

/** Edges and ornaments are read as letters too, with less confidence. */
const leastConfidence = 60
const maxLength = 2_000

/** The words that were read with some confidence, in their order. */
export const sureWords = ({ blocks }: Page): string =>
  (blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs ?? [])
    .flatMap(({ lines }) => lines ?? [])
    .flatMap(({ words }) => words ?? [])
    .filter(({ text, confidence }) => confidence > leastConfidence && /[\p{L}\p{N}]/u.test(text))
    .map(({ text }) => text)
    .join(' ')
    .slice(0, maxLength)
