/** The candidate that `word` is most likely a slip of: at most a third of it is wrong. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const ranked = candidates
    .map((candidate) => ({ candidate, slips: slipsBetween(word, candidate) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((a, b) => a.slips - b.slips)
  return ranked[0]?.candidate
}

/** How many letters were left out, added, replaced or swapped with their neighbour (Damerau). */
function slipsBetween(a: string, b: string): number {
  let twoBefore: readonly number[] = []
  let before: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const kept = at(before, j - 1) + Number(a[i - 1] !== b[j - 1])
      const swapped = isSwap ? at(twoBefore, j - 2) + 1 : Infinity
      row.push(Math.min(kept, swapped, at(before, j) + 1, at(row, j - 1) + 1))
    }
    twoBefore = before
    before = row
  }
  return before[b.length] ?? Infinity
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity
