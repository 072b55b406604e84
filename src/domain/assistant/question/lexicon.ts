import { contentTypeOf } from '../../content/media-type.ts'
import type { Sorting } from './public-assets.ts'

/** Words for assets of any kind. */
const assetNouns = new Set(['asset', 'file', 'item', 'object'])

const typeByNoun: Readonly<Record<string, string>> = {
  image: 'image/',
  picture: 'image/',
  photo: 'image/',
  graphic: 'image/',
  video: 'video/',
  film: 'video/',
  movie: 'video/',
  clip: 'video/',
  sound: 'audio/',
  audio: 'audio/',
  song: 'audio/',
  font: 'font/',
}

const formatsByWord: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpg', 'jpeg'],
  jpeg: ['jpg', 'jpeg'],
  tif: ['tif', 'tiff'],
  tiff: ['tif', 'tiff'],
}

/** Formats that are known even while nothing is stored in them. */
const usualFormats = new Set(
  'svg png jpg jpeg webp avif gif ico tif tiff pdf mp4 webm mov m3u8 mp3 woff woff2 ttf otf txt json xml html css js zip'.split(
    ' ',
  ),
)

const sortings: Readonly<Record<string, Sorting>> = {
  largest: { key: 'size', order: 'desc' },
  biggest: { key: 'size', order: 'desc' },
  heaviest: { key: 'size', order: 'desc' },
  smallest: { key: 'size', order: 'asc' },
  lightest: { key: 'size', order: 'asc' },
  newest: { key: 'date', order: 'desc' },
  latest: { key: 'date', order: 'desc' },
  recent: { key: 'date', order: 'desc' },
  oldest: { key: 'date', order: 'asc' },
}

const numbers = 'one two three four five six seven eight nine ten'.split(' ')

/** What images are found by besides their names. */
const looks = new Set(
  `red orange yellow green blue purple violet pink brown black white gray grey beige navy cyan teal
  transparent animated wide landscape portrait square`.split(/\s+/u),
)

export const singularOf = (word: string): string =>
  word.length > 3 ? word.replace(/ies$/u, 'y').replace(/([^s])s$/u, '$1') : word

export const isAssetNoun = (word: string): boolean => assetNouns.has(singularOf(word))

/** The media type a noun stands for, as a beginning: `picture` → `image/`. */
export const typeOfNoun = (word: string): string | undefined => typeByNoun[singularOf(word)]

/** The formats a word names, be it in the plural: `jpgs` → `jpg`, `jpeg`. */
export function formatsOfWord(word: string, known: readonly string[]): readonly string[] {
  const format = known.includes(word) || usualFormats.has(word) ? word : singularOf(word)
  if (!known.includes(format) && !usualFormats.has(format)) return []
  return formatsByWord[format] ?? [format]
}

export const formatsOfType = (type: string, known: readonly string[]): readonly string[] =>
  known.filter((format) => contentTypeOf(`file.${format}`).startsWith(type))

export const sortingOf = (word: string): Sorting | undefined => sortings[word]

export function numberOf(word: string): number | undefined {
  if (/^\d{1,3}$/u.test(word)) return Number(word)
  const place = numbers.indexOf(word)
  return place === -1 ? undefined : place + 1
}

export const isLook = (word: string): boolean => looks.has(word)
