/** A line that stayed, came or went. */
export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Beyond so many pairs of lines what is between what both begin and end with is told as a whole. */
const maxPairs = 1_000_000

/** What leads from one text to another, line by line. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const [one, other] = [linesOf(before), linesOf(after)]
  const start = one.findIndex((line, place) => line !== other[place])
  const head = start < 0 ? Math.min(one.length, other.length) : start
  const tail = sameAtEnd(one.slice(head), other.slice(head))
  const [gone, come] = [one.slice(head, one.length - tail), other.slice(head, other.length - tail)]
  const between =
    gone.length * come.length > maxPairs
      ? [...told('removed', gone), ...told('added', come)]
      : compared(gone, come)
  return [
    ...told('same', one.slice(0, head)),
    ...between,
    ...told('same', one.slice(one.length - tail)),
  ]
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

const told = (kind: LineChange['kind'], lines: readonly string[]): readonly LineChange[] =>
  lines.map((text) => ({ kind, text }))

function sameAtEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0
  const most = Math.min(one.length, other.length)
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count += 1
  return count
}

/** By the longest run of lines, in order, that both have. */
function compared(one: readonly string[], other: readonly string[]): readonly LineChange[] {
  const common = commonLengths(one, other)
  const changes: LineChange[] = []
  let [left, right] = [0, 0]
  while (left < one.length || right < other.length) {
    const [gone, come] = [one[left], other[right]]
    if (gone !== undefined && gone === come) {
      changes.push({ kind: 'same', text: gone })
      left += 1
      right += 1
    } else if (come === undefined || (gone !== undefined && isBetterGone(common, left, right))) {
      changes.push({ kind: 'removed', text: gone ?? '' })
      left += 1
    } else {
      changes.push({ kind: 'added', text: come })
      right += 1
    }
  }
  return changes
}

const isBetterGone = (common: readonly Uint32Array[], left: number, right: number): boolean =>
  (common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0)

/** At `[i][j]` how many lines what follows `i` and `j` has in common. */
function commonLengths(one: readonly string[], other: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1))
  for (let left = one.length - 1; left >= 0; left -= 1)
    for (let right = other.length - 1; right >= 0; right -= 1) {
      const [row, next] = [lengths[left], lengths[left + 1]]
      if (row === undefined || next === undefined) continue
      row[right] =
        one[left] === other[right]
          ? (next[right + 1] ?? 0) + 1
          : Math.max(next[right] ?? 0, row[right + 1] ?? 0)
    }
  return lengths
}
