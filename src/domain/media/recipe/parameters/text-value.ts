import { z } from 'zod'

import { overlayPlaces, type OverlayPlace } from './overlay-value.ts'
import { readColor, type Values } from './parameter-values.ts'

/** Text that is laid over an image, as a caller names it. Lengths are in CSS pixels. */
export interface NamedText {
  readonly text: string
  readonly place: OverlayPlace
  readonly size: number
  /** `#rrggbb` */
  readonly color: string
  /** From the sides. */
  readonly margin: number
  readonly isBold: boolean
  readonly isItalic: boolean
  /** Of its lines among each other; left out, as its place is. */
  readonly align: 'left' | 'center' | 'right' | undefined
  /** Of the longest line, in percent of the width of the image. */
  readonly wrap: number
  /** Percent. */
  readonly opacity: number
  /** `#rrggbb` and percent of what is behind it. */
  readonly box: { readonly color: string; readonly opacity: number } | undefined
}

const maxLength = 300
const maxLines = 12
/** With what is behind the `@`. */
const maxWritten = maxLength + 100
const maxWords = 12

const defaults = {
  place: 'center',
  size: 32,
  color: '#ffffff',
  margin: 16,
  isBold: false,
  isItalic: false,
  align: undefined,
  wrap: 100,
  opacity: 100,
  box: undefined,
} as const

type Styling = Omit<NamedText, 'text'>

/** The last `@` with a place behind it is the one that counts. */
function read(written: string): NamedText | undefined {
  const at = written.lastIndexOf('@')
  const [place = '', ...words] = at < 0 ? [] : written.slice(at + 1).split(',', maxWords)
  const isPlaced = (overlayPlaces as readonly string[]).includes(place)
  const text = (isPlaced ? written.slice(0, at) : written).normalize('NFC')
  if (!isPrintable(text)) return undefined
  if (!isPlaced) return { text, ...defaults }
  const styling = styled({ ...defaults, place: place as OverlayPlace }, words)
  return styling && { text, ...styling }
}

/** Size, colour and margin by their order, then words in any order. */
function styled(styling: Styling, words: readonly string[]): Styling | undefined {
  let result: Styling | undefined = styling
  for (const [index, word] of words.entries()) {
    const change = word === '' ? {} : (byPlace[index]?.(word) ?? byWord(word))
    result = result && change && { ...result, ...change }
  }
  return result
}

type Reader = (word: string) => Partial<Styling> | undefined

/** What a word says by standing first, second or third; `undefined` where it is another one. */
const byPlace: readonly Reader[] = [
  (word) => within(word, [4, 1000], (size) => ({ size })),
  (word) => (isColor(word) ? { color: readColor(word) } : undefined),
  (word) => within(word, [0, 999], (margin) => ({ margin })),
]

const percent = [1, 100] as const

const byName: Readonly<Record<string, (...values: string[]) => Partial<Styling> | undefined>> = {
  bold: () => ({ isBold: true }),
  italic: () => ({ isItalic: true }),
  left: () => ({ align: 'left' }),
  center: () => ({ align: 'center' }),
  right: () => ({ align: 'right' }),
  wrap: (share = '') => within(share, percent, (wrap) => ({ wrap })),
  opacity: (share = '') => within(share, percent, (opacity) => ({ opacity })),
  box: (color = '', share = '100') =>
    isColor(color)
      ? within(share, percent, (opacity) => ({ box: { color: readColor(color), opacity } }))
      : undefined,
}

function byWord(word: string): Partial<Styling> | undefined {
  const [name = '', ...values] = word.split(':', 4)
  return Object.hasOwn(byName, name) ? byName[name]?.(...values) : undefined
}

const isColor = (word: string): boolean =>
  /^(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|black|white)$/u.test(word)

function within(
  word: string,
  [min, max]: readonly [min: number, max: number],
  made: (value: number) => Partial<Styling>,
): Partial<Styling> | undefined {
  const value = /^\d{1,4}$/u.test(word) ? Number(word) : NaN
  return value >= min && value <= max ? made(value) : undefined
}

/**
 * What the bundled fonts have, upright and slanted: Latin, Greek, Cyrillic, Devanagari, and the signs
 * that go with them. Whatever reorders text, or is not to be seen, is none of it: a reader could not
 * tell what is written.
 */
const printable =
  `a 20-7e a0-ac ae-34e 350-377 37a-37f 384-38a 38c 38e-3a1 3a3-3e1 3f0-52f 900-97f 1e00-1f15
  1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3
  1fd6-1fdb 1fdd-1fef 1ff2-1ff4 1ff6-1ffe 2010-2027 202f-205e 2070-2071 2074-208e 2090-209c
  20a0-20bf 2100-215f 2212 fb00-fb06`
    .split(/\s+/u)
    .map((range) => range.split('-').map((digits) => Number.parseInt(digits, 16)))

const isInFonts = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return printable.some(([from = 0, to = from]) => code >= from && code <= to)
}

/** More marks than any writing puts on one letter. */
const piledMarks = /\p{M}{5}/u

const isPrintable = (text: string): boolean =>
  text.length <= maxLength &&
  Array.from(text).every(isInFonts) &&
  !piledMarks.test(text) &&
  text.trim() !== '' &&
  text.split('\n').length <= maxLines

export const overlaidText: Values<NamedText> = {
  range: `up to ${maxLength} Latin, Greek, Cyrillic or Devanagari characters in up to ${maxLines} lines, and behind them @place,size,colour,margin,words as far as they are wanted, as in Hello@southwest,48,fff,24,bold,wrap:80,box:000:60`,
  written: z.string().regex(new RegExp(`^[^]{1,${maxWritten}}$`, 'u')),
  schema: z.string().transform((text, context) => {
    const found = text.length > maxWritten ? undefined : read(text)
    if (found !== undefined) return found
    context.addIssue({ code: 'invalid_format', format: 'text', message: 'is no text' })
    return z.NEVER
  }),
}
