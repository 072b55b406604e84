import type { Facets } from './facets.ts'
import { singularOf } from './lexicon.ts'
import type { AssetScope } from './public-assets.ts'
import { named } from './quoted-text.ts'
import { searchWordsOf } from './facets.ts'

export const scopeOf = (facets: Facets, zones: ReadonlySet<string> | undefined): AssetScope => ({
  zone: facets.zone,
  category: facets.category,
  formats: facets.formats,
  words: searchWordsOf(facets),
  zones,
})

/** `3 SVG icons in acme named "arrow"`: what was counted, so that the number means something. */
export function scopeName(facets: Facets, count: number): string {
  const { zone, category, kind, looks } = facets
  const words = searchWordsOf(facets)
  const noun = nounOf(category, kind, count)
  return [
    ...looks,
    noun,
    zone === undefined ? '' : `in zone ${zone}`,
    words.length === 0 ? '' : `with ${words.map((word) => `"${word}"`).join(' and ')} in the path`,
  ]
    .filter(Boolean)
    .join(' ')
}

function nounOf(category: string | undefined, kind: string | undefined, count: number): string {
  if (category === undefined && kind === undefined) return count === 1 ? 'file' : 'files'
  if (category === undefined)
    return isFormat(kind) ? `${upper(kind)} ${count === 1 ? 'file' : 'files'}` : plural(kind, count)
  const noun = named(count === 1 ? singularOf(category) : category)
  return kind === undefined ? noun : `${isFormat(kind) ? upper(kind) : kind} ${noun}`
}

const isFormat = (kind = ''): boolean =>
  /^(?:[a-z0-9]{2,5})$/u.test(kind) &&
  !/^(?:image|photo|video|film|movie|clip|sound|audio|song|font)$/u.test(kind)
const upper = (kind = ''): string => singularOf(kind).toUpperCase()
const plural = (kind = '', count: number): string => (count === 1 ? kind : `${kind}s`)
