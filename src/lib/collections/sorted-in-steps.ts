/** So many texts are sorted, or merged, in a step: some milliseconds. */
const stepTexts = 8_192

/** Texts in the order of their UTF-16 code units. Each step is bounded, however many there are. */
export function* sortedInSteps(texts: readonly string[]): Generator<void, readonly string[]> {
  let runs: (readonly string[])[] = []
  for (let start = 0; start < texts.length; start += stepTexts) {
    // Sorting without a comparison of our own is five times as fast.
    runs.push(texts.slice(start, start + stepTexts).sort())
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge(
  left: readonly string[],
  right: readonly string[],
): Generator<void, readonly string[]> {
  const merged: string[] = []
  let fromLeft = 0
  let fromRight = 0
  while (fromLeft < left.length && fromRight < right.length) {
    const [one, other] = [left[fromLeft]!, right[fromRight]!]
    const isOther = other < one
    merged.push(isOther ? other : one)
    if (isOther) fromRight += 1
    else fromLeft += 1
    if (merged.length % stepTexts === 0) yield
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight))
}
