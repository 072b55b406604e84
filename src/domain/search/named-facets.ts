import type { Documents } from './documents.ts'
import type { Facet } from './facets.ts'
import { stemOf, wordsOf } from './words/words.ts'

/** What an asset gains where the question names its zone, its category or its format; the first is no accident. */
const gain = { zone: 0.2, category: 0.05, format: 0.1 }

/** Of names of zones and folders so many words are compared. */
const maxWords = 4

/** What rows gain because the question says in words which zone, category or format is meant. */
export function facetGain(index: Documents, question: string): (row: number) => number {
  const words = wordsOf(question)
  const stems = new Set(words.map(stemOf))
  const phrase = ` ${words.join(' ')} `
  const gainOf = ({ zone, category, format }: Facet): number => {
    const hasZone = phrase.includes(` ${wordsOf(zone).join(' ')} `)
    const categoryWords = wordsOf(category).slice(0, maxWords)
    const hasCategory =
      categoryWords.length > 0 && categoryWords.every((word) => stems.has(stemOf(word)))
    const hasFormat = format !== '' && words.includes(format)
    return (
      (hasZone ? gain.zone : 0) + (hasCategory ? gain.category : 0) + (hasFormat ? gain.format : 0)
    )
  }

  const gainByFacet = new Map<number, number>()
  return (row) => {
    const number = index.facets.of(row)
    const known = gainByFacet.get(number)
    if (known !== undefined) return known
    const facet = index.facets.at(number)
    const found = facet === undefined ? 0 : gainOf(facet)
    gainByFacet.set(number, found)
    return found
  }
}
