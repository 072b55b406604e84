import { editDistance } from './edit-distance.ts'

/** The candidate that `word` is most likely a slip of: at most a third of it is wrong. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const ranked = candidates
    .map((candidate) => ({ candidate, slips: editDistance(word, candidate) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((a, b) => a.slips - b.slips)
  return ranked[0]?.candidate
}
