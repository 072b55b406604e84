/** What an answer may lean on. */
export interface Grounds {
  readonly sourceCount: number
  /** Every path that may be written is somewhere in here. */
  readonly paths: string
  /** Every URL of another host that may be; nobody but the operator wrote it. */
  readonly urls: string
}

/** A sentence longer than this is checked in parts. */
const maxSentenceLength = 1_000
const maxAnswerLength = 8_000

/**
 * What a model writes, sentence by sentence: without citations of sources that do not exist, and without
 * sentences that name a URL or a path that no source has, and without tags and links.
 */
export async function* checkedSentences(
  pieces: AsyncIterable<string>,
  grounds: Grounds,
): AsyncGenerator<string> {
  let waiting = ''
  let length = 0
  for await (const piece of withoutThoughts(pieces)) {
    waiting += piece
    const end = endOfSentences(waiting)
    const checked = checkedText(waiting.slice(0, end), grounds)
    waiting = waiting.slice(end)
    length += checked.length
    if (checked !== '') yield checked
    if (length > maxAnswerLength) return
  }
  const rest = checkedText(waiting, grounds)
  if (rest !== '') yield rest
}

/** Where the last whole sentence ends; 0 where there is none yet. */
function endOfSentences(text: string): number {
  const ends = [...text.matchAll(/[.!?…:]["')*\]]*\s+|\n+/gu)]
  const last = ends.at(-1)
  if (last) return last.index + last[0].length
  return text.length > maxSentenceLength ? text.lastIndexOf(' ') + 1 || text.length : 0
}

const checkedText = (text: string, grounds: Grounds): string =>
  (text.match(/.*?(?:[.!?…]["')*\]]*\s+|\n+|$)/gsu) ?? [])
    .filter((sentence) => urlsIn(sentence).every((each) => isKnown(each, grounds)))
    .map((sentence) => withoutMarkup(withoutInvented(sentence, grounds.sourceCount)))
    .join('')

/** Neither a tag nor a link to whoever renders it: a file may be called like one, and a model repeats it. */
const withoutMarkup = (sentence: string): string =>
  sentence.replace(/<(?=[a-z!/?]|$)/giu, '< ').replace(/\](?=[(:])/gu, '] ')

const withoutInvented = (sentence: string, sourceCount: number): string =>
  sentence.replace(/ ?[[【](\d{1,4}(?:\s*,\s*\d{1,4})*)[\]】]/gu, (whole, list: string) => {
    const numbers = list.split(',').map(Number)
    const real = numbers.filter((number) => number >= 1 && number <= sourceCount)
    const space = whole.startsWith(' ') ? ' ' : ''
    return real.length === 0 ? '' : space + real.map((number) => `[${number}]`).join('')
  })

/** Whatever a reader could take for a URL or a path. */
const urlsIn = (sentence: string): readonly string[] =>
  sentence
    .split(/[\s"'`<>()[\]{}|,;*]+/u)
    .map((token) => token.replace(/^[^\p{L}\p{N}/]+|(?<![.:!?…])[.:!?…]+$/gu, ''))
    .filter((token) => isOutward(token) || pathForms.some((form) => form.test(token)))

const outwardForms: readonly RegExp[] = [
  /:\/\//u,
  /^\/\//u,
  /^(?:javascript|data|vbscript|mailto):/iu,
  /^www\./iu,
  /^[\w-]+(?:\.[\w-]+)+\//u,
]
const pathForms: readonly RegExp[] = [/^\/./u, /\/v1\//u, /\/[^/]*\.\w{2,5}$/u]

const isOutward = (token: string): boolean => outwardForms.some((form) => form.test(token))

const isKnown = (token: string, { paths, urls }: Grounds): boolean =>
  isOutward(token) ? urls.includes(token) : paths.includes(token.replace(/^\//u, ''))

/** Some models write down how they came to the answer; that is not for readers. */
async function* withoutThoughts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  let isThought = false
  for await (const piece of pieces) {
    waiting += piece
    for (;;) {
      const mark = isThought ? '</think>' : '<think>'
      const place = waiting.indexOf(mark)
      if (place === -1) break
      if (!isThought) yield waiting.slice(0, place)
      waiting = waiting.slice(place + mark.length)
      isThought = !isThought
    }
    // The beginning of a mark may be at the end.
    const kept = isThought ? waiting.length : waiting.length - unfinishedMark(waiting)
    if (!isThought) yield waiting.slice(0, kept)
    waiting = isThought ? waiting.slice(-8) : waiting.slice(kept)
  }
  if (!isThought) yield waiting
}

function unfinishedMark(text: string): number {
  for (let length = Math.min(6, text.length); length > 0; length -= 1)
    if ('<think>'.startsWith(text.slice(-length))) return length
  return 0
}
