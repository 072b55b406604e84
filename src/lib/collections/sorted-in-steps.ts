/** So many texts are sorted, or merged, in a step: some milliseconds. */
const stepTexts = 8_192

/** Texts in their order, each beside its place among those that were given. */
interface Run {
  readonly texts: readonly string[]
  readonly places: Uint32Array
}

/**
 * The places of texts, all of which differ, in the order of their UTF-16 code units. Each step is bounded, however many
 * there are.
 */
export function* sortedPlaces(texts: readonly string[]): Generator<void, Uint32Array> {
  let runs: Run[] = []
  for (let start = 0; start < texts.length; start += stepTexts) {
    runs.push(sortedRun(texts.slice(start, start + stepTexts), start))
    yield
  }
  while (runs.length > 1) {
    const merged: Run[] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] ?? noRun, runs[at + 1] ?? noRun))
    runs = merged
  }
  return (runs[0] ?? noRun).places
}

const noRun: Run = { texts: [], places: new Uint32Array(0) }

/** Sorting without a comparison of our own is five times as fast, so where a text was is looked up afterwards. */
function sortedRun(texts: string[], start: number): Run {
  const placeByText = new Map(texts.map((text, place) => [text, start + place]))
  texts.sort()
  return { texts, places: Uint32Array.from(texts, (text) => placeByText.get(text)!) }
}

function* merge(left: Run, right: Run): Generator<void, Run> {
  if (right.texts.length === 0) return left
  const count = left.texts.length + right.texts.length
  const texts: string[] = []
  const places = new Uint32Array(count)
  let [fromLeft, fromRight] = [0, 0]
  for (let place = 0; place < count; place += 1) {
    const isOther =
      fromLeft === left.texts.length ||
      (fromRight < right.texts.length && right.texts[fromRight]! < left.texts[fromLeft]!)
    const run = isOther ? right : left
    const from = isOther ? fromRight++ : fromLeft++
    texts.push(run.texts[from]!)
    places[place] = run.places[from]!
    if (place % stepTexts === stepTexts - 1) yield
  }
  return { texts, places }
}
