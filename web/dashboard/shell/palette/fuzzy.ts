const longest = 200

/** Without case and accents. Cut first: names may be long. */
const folded = (text: string): string =>
  text
    .slice(0, longest)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/gu, '')
    .toLowerCase()

/** How well a text fits what is looked for: 0 where it does not, more where its beginning says it. */
export function fitOf(query: string, text: string): number {
  const words = folded(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
  const where = folded(text)
  let sum = 0
  for (const word of words) {
    const fit = fitOfWord(word, where)
    if (fit === 0) return 0
    sum += fit
  }
  return words.length === 0 ? 1 : sum / words.length
}

const fits = { whole: 100, beginning: 90, word: 75, inside: 50, letters: 30 } as const

function fitOfWord(word: string, text: string): number {
  if (text === word) return fits.whole
  const shorter = word.length / Math.max(text.length, 1)
  if (text.startsWith(word)) return fits.beginning + shorter
  const place = text.indexOf(word)
  if (place === -1) return fitOfLetters(word, text)
  return (startsWord(text, place, word) ? fits.word : fits.inside) + shorter
}

/** Whether the word begins a word of the text, there or further on. */
function startsWord(text: string, first: number, word: string): boolean {
  for (let place = first; place !== -1; place = text.indexOf(word, place + 1))
    if (isBoundary(text[place - 1])) return true
  return false
}

const isBoundary = (before: string | undefined): boolean =>
  before === undefined || ' -_/.@:'.includes(before)

/** The letters in their order: the more of them begin words or follow one another, the better. */
function fitOfLetters(word: string, text: string): number {
  let place = -1
  let good = 0
  for (const letter of word) {
    const next = text.indexOf(letter, place + 1)
    if (next === -1) return 0
    if (next === place + 1 || isBoundary(text[next - 1])) good += 1
    place = next
  }
  // Letters that lie about anywhere are no likeness.
  return good * 2 < word.length ? 0 : (fits.letters * good) / word.length
}

interface Ranked {
  readonly title: string
  /** What it is found by besides, and counts less. */
  readonly detail?: string | undefined
}

/** Those that fit, the best first; those that fit alike stay in their order. */
export function ranked<Item extends Ranked>(
  query: string,
  items: readonly Item[],
  most: number,
): readonly Item[] {
  return items
    .map((item) => ({ item, fit: fitOfItem(query, item) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, most)
    .map(({ item }) => item)
}

const fitOfItem = (query: string, { title, detail = '' }: Ranked): number =>
  Math.max(fitOf(query, title), fitOf(query, `${title} ${detail}`) * 0.6)
