import type { TextIndex, WordPlace } from './text-index.ts'

interface Parts {
  readonly directories: Pick<TextIndex, 'mark'>
  readonly names: Pick<TextIndex, 'mark'>
  readonly directoryMasks: Uint32Array
  readonly nameMasks: Uint32Array
}

export interface WordMarks {
  /** An asset has every marked word where the bits of its directory and its name make up these. */
  readonly required: number
  /** Words for which there were no bits left. */
  readonly unmarked: readonly string[]
}

/** The lowest bit is the filters'; the highest would turn masks negative. */
const wordBits = 30

/** Marks directories and names by the words in them; `undefined` where some word is nowhere at all. */
export function markWords(words: readonly string[], parts: Parts): WordMarks | undefined {
  let bit = 2
  let required = 0
  for (const [index, word] of words.entries()) {
    const bits = word.includes('/') ? bit | (bit << 1) : bit
    if (bits >= 2 ** wordBits) return { required, unmarked: words.slice(index) }
    if (!markWord(word, bits, parts)) return undefined
    required |= bits
    bit = (bits & ~bit) === 0 ? bit << 1 : bit << 2
  }
  return { required, unmarked: [] }
}

function markWord(word: string, bits: number, parts: Parts): boolean {
  const inDirectories = markIn('directories', { word, place: 'anywhere', bits }, parts)
  const slash = word.lastIndexOf('/')
  if (slash === -1)
    return markIn('names', { word, place: 'anywhere', bits }, parts) || inDirectories
  return markAcross(word, { slash, bits }, parts) || inDirectories
}

/**
 * A word with a slash is in a path also where the directory ends with what is before its last slash
 * and the name starts with what is after: one bit each, so that only both together are enough.
 */
function markAcross(
  word: string,
  { slash, bits }: { readonly slash: number; readonly bits: number },
  parts: Parts,
): boolean {
  const directoryBit = bits & -bits
  const nameBit = bits & ~directoryBit
  const directoryEnd = word.slice(0, slash)
  const nameStart = word.slice(slash + 1)
  const ends = markIn(
    'directories',
    { word: directoryEnd, place: 'end', bits: directoryBit },
    parts,
  )
  const starts = markIn('names', { word: nameStart, place: 'start', bits: nameBit }, parts)
  return ends && starts
}

function markIn(
  part: 'directories' | 'names',
  mark: { readonly word: string; readonly place: WordPlace; readonly bits: number },
  parts: Parts,
): boolean {
  const masks = part === 'directories' ? parts.directoryMasks : parts.nameMasks
  return parts[part].mark({ ...mark, masks })
}

/**
 * The spelling in which words and paths are compared without letter case. Both sigmas of lower case
 * become one: which of them `toLowerCase` picks depends on what follows, so that without this a text
 * and a part of it could fold apart.
 */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

/** The words of a search text. */
export const wordsOf = (query: string): readonly string[] =>
  query.split(/\s+/u).filter((word) => word !== '')
