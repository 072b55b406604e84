import { z } from 'zod'

import type { Values } from './parameter-values.ts'

export const overlayPlaces = [
  'center',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const
export type OverlayPlace = (typeof overlayPlaces)[number]

/** An image that is laid over another one, as a caller names it. */
export interface NamedOverlay {
  /** As the `url` of a transform names images. */
  readonly path: string
  readonly place: OverlayPlace
  /** Percent of the width of the image below; left out, its own size, as far as it fits. */
  readonly width: number | undefined
  /** Percent. */
  readonly opacity: number
  /** From the sides, and between tiles. */
  readonly margin: number
  readonly isTiled: boolean
}

const maxPathLength = 1024
const percent = { min: 1, max: 100 }

/** The last `@` is the one that counts: a path may have others. */
function read(text: string): NamedOverlay | undefined {
  const at = text.lastIndexOf('@')
  const [place = '', ...words] = at < 0 ? [] : text.slice(at + 1).split(',')
  if (!isPlace(place)) return overlayOf(text, { place: 'center', words: [] })
  return overlayOf(text.slice(0, at), { place, words })
}

interface Placing {
  readonly place: OverlayPlace
  readonly words: readonly string[]
}

function overlayOf(path: string, { place, words }: Placing): NamedOverlay | undefined {
  const isTiled = words.at(-1) === 'tile'
  const numbers = isTiled ? words.slice(0, -1) : words
  if (path === '' || path.length > maxPathLength || !areNumbers(numbers)) return undefined
  const [width, opacity = percent.max, margin = 0] = numbers.map((word) =>
    word === '' ? undefined : Number(word),
  )
  if (!isPercent(opacity) || !isPercent(width ?? percent.max)) return undefined
  return { path, place, width, opacity, margin, isTiled }
}

/** At most width, opacity and margin, each of three digits or left out. */
const areNumbers = (words: readonly string[]): boolean =>
  words.length <= 3 && words.every((word) => /^\d{0,3}$/u.test(word))

const isPercent = (value: number): boolean => value >= percent.min && value <= percent.max

const isPlace = (word: string): word is OverlayPlace =>
  (overlayPlaces as readonly string[]).includes(word)

export const overlay: Values<NamedOverlay> = {
  range:
    'a path, and behind it @place,width,opacity,margin as far as they are wanted, as in /acme/v1/logos/mark.svg@southeast,20,80,10',
  written: z.string().regex(/^[^]{1,1100}$/u),
  schema: z.string().transform((text, context) => {
    const found = text.length > maxPathLength + 100 ? undefined : read(text)
    if (found !== undefined) return found
    context.addIssue({ code: 'invalid_format', format: 'overlay', message: 'is no overlay' })
    return z.NEVER
  }),
}
