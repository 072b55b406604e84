import { foldedWords } from '../knowledge/terms.ts'
import {
  formatsOfType,
  formatsOfWord,
  isAssetNoun,
  isLook,
  numberOf,
  singularOf,
  sortingOf,
  typeOfNoun,
} from './lexicon.ts'
import type { PublicAssets, Sorting } from './public-assets.ts'
import { readTransformOptions } from './transform-options.ts'
import { isEmptyWord } from '../knowledge/terms.ts'

/** What a message names of the catalogue. */
export interface Facets {
  readonly zone?: string | undefined
  readonly category?: string | undefined
  readonly formats?: readonly string[] | undefined
  /** What those formats are called: `svg`, `image`. */
  readonly kind?: string | undefined
  readonly sorting?: Sorting | undefined
  readonly limit?: number | undefined
  /** Colours and shapes. */
  readonly looks: readonly string[]
  /** Whatever else says what is meant. */
  readonly words: readonly string[]
  /** Files that are named in full. */
  readonly paths: readonly string[]
  /** Whether it says that it is about files at all. */
  readonly hasNoun: boolean
  /** What is asked of an image. */
  readonly transform: ReadonlyMap<string, string>
}

type Zones = ReadonlySet<string> | undefined
type Draft = { -readonly [Name in keyof Facets]: Facets[Name] } & {
  looks: string[]
  words: string[]
}

export function readFacets(message: string, assets: PublicAssets, zones: Zones): Facets {
  const paths = pathsIn(message).filter((path) => assets.find(path, zones))
  const withoutPaths = wordsOf(message).map(withoutPath).join(' ')
  const { parameters, rest } = readTransformOptions(withoutPaths)
  const draft: Draft = { looks: [], words: [], paths, hasNoun: false, transform: parameters }
  const categories = new Map(
    [...standardCategories, ...assets.categories({ zones })].map((category) => [
      singularOf(category),
      category,
    ]),
  )
  const formats = assets.formats({ zones })
  for (const token of rest.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?/gu) ??
    []) {
    if (isEmptyWord(token)) continue
    const category = categories.get(singularOf(token))
    if (category !== undefined) Object.assign(draft, { category, hasNoun: true })
    else if (isAssetNoun(token)) draft.hasNoun = true
    else if (!takeKind(draft, token, formats)) takeWord(draft, token, { assets, zones })
  }
  return withoutNamingWords(draft, rest)
}

/** Each is looked for in every path. */
const maxWords = 16

const zoneWord = /^(?:zones?|tenants?|projects?)$/u
const namingWord = /^(?:categor(?:y|ies)|folders?|formats?|types?|extensions?)$/u
/** A zone that does not exist, or that nobody may know of, is one all the same. */
const zoneNamed = /\bin (?:the )?(?:zone|tenant|project) ([a-z0-9-]{2,64})(?![\w-])/u

/** `in zone acme` says no more than `in acme`, and `the icons category` no more than `icons`. */
function withoutNamingWords(draft: Draft, text: string): Facets {
  const named = draft.zone ?? zoneNamed.exec(text)?.[1]
  const isNamed = draft.category !== undefined || draft.formats !== undefined
  const says = (word: string): boolean => {
    if (named !== undefined && (zoneWord.test(word) || word === named)) return false
    return !(isNamed && namingWord.test(word))
  }
  const hasNoun = draft.hasNoun || named !== undefined
  return { ...draft, zone: named, hasNoun, words: draft.words.filter(says).slice(0, maxWords) }
}

const standardCategories = ['banners', 'github', 'icons', 'logos', 'titles']

function takeKind(draft: Draft, token: string, known: readonly string[]): boolean {
  const type = typeOfNoun(token)
  const formats = type === undefined ? formatsOfWord(token, known) : formatsOfType(type, known)
  if (type === undefined && formats.length === 0) return false
  draft.hasNoun = true
  // `png pictures` are PNG files: the narrower one counts.
  if (draft.formats === undefined || type === undefined)
    Object.assign(draft, { formats, kind: type === undefined ? token : singularOf(token) })
  return true
}

interface Known {
  readonly assets: PublicAssets
  readonly zones: Zones
}

function takeWord(draft: Draft, token: string, { assets, zones }: Known): void {
  const sorting = sortingOf(token)
  const limit = numberOf(token)
  if (assets.isOpen(token, zones)) draft.zone = token
  else if (sorting) draft.sorting = sorting
  else if (limit !== undefined) draft.limit = limit
  else if (isLook(token)) draft.looks.push(token)
  else if (!fillers.has(token)) draft.words.push(token)
}

/** What is said around a question without saying what it is about. */
const fillers = new Set(
  `find show list count number total exist exists existing stored available different only just now then
  see total size sizes named called containing contains name names only ones one bytes byte together sum altogether
  exactly precisely currently today look looking search something anything everything thing things version
  public of them those these second instead same what's whats where's there's how's i'm`.split(
    /\s+/u,
  ),
)

/** Paths of assets, be they in URLs. */
export const pathsIn = (text: string): readonly string[] =>
  wordsOf(text).flatMap((word) => {
    const found = pathIn(word)
    return found === '' ? [] : [assetPathOf(found)]
  })

/** What is between the blanks, quotes and brackets of a text. */
const wordsOf = (text: string): readonly string[] => text.split(/[\s"'`<>()]+/u)

const versionMark = '/v1/'

/** The beginning of a word, as far as it can be a URL of an asset; empty where it cannot. */
function pathIn(word: string): string {
  const mark = word.indexOf(versionMark)
  if (mark === -1) return ''
  const least = mark + versionMark.length
  const end = word.slice(least).search(/[?,;]/u)
  let length = end === -1 ? word.length : least + end
  while (length > least && '.!:'.includes(word.charAt(length - 1))) length -= 1
  return length > least ? word.slice(0, length) : ''
}

const withoutPath = (word: string): string => word.slice(pathIn(word).length)

const assetPathOf = (found: string): string =>
  decoded(found)
    .replace(/^https?:\/\/[^/]+\//iu, '')
    .replace(/^\/?(?:clients\/)?/u, '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The words in the form in which names are searched. */
export const searchWordsOf = ({ words }: Pick<Facets, 'words'>): readonly string[] =>
  words.flatMap((word) => foldedWords(word))
