import { greatest } from '../../lib/collections/greatest.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { isPrivate } from '../content/delivered/delivered-assets.ts'
import type { Documents } from './documents.ts'
import { createFoundBy, type Ground, type KnownOfBytes } from './found-by.ts'
import type { Facet } from './facets.ts'
import { matchNames } from './name-matches.ts'
import type { QuestionVectors } from './vectors/question-vectors.ts'
import { facetGain } from './named-facets.ts'
import { rank } from './ranking.ts'
import { calibrated, type Confidence, exactnessFor, type Match, rawScore } from './score.ts'
import { tidyQuestion, wordsOf } from './words/words.ts'

export interface SearchQuery {
  readonly question: string
  readonly limit: number
  readonly zone?: string | undefined
  readonly category?: string | undefined
  readonly format?: string | undefined
  /** Where it is asked from, so that one network's questions cannot keep all others waiting. */
  readonly network?: string
  /** What scores less is left out, and nothing else is: without it few are shown that hardly fit. */
  readonly minScore?: number | undefined
  /** The zones the caller may see; all where `undefined`. */
  readonly zones?: ReadonlySet<string> | undefined
}

export interface Found {
  readonly asset: AssetRecord
  /** 0 to 1, three decimals. */
  readonly score: number
  /** How sure it is that this is what was meant; what is `low` is only nearer than all else. */
  readonly confidence: Confidence
  /** What about it is like the question; at least one. */
  readonly foundBy: readonly Ground[]
}

/** `vector`: by meaning alone, because no name has such words; `hybrid`: by both; `fuzzy`: by names. */
export type SearchMode = 'vector' | 'hybrid' | 'fuzzy'

export interface SearchResults {
  /** The best first. Where nothing fits there are a few that are nearest, all of low confidence. */
  readonly results: readonly Found[]
  /** How many of the results probably are what was meant. */
  readonly matched: number
  readonly mode: SearchMode
  /** Of the best result. */
  readonly confidence: Confidence
  /** Whether meaning should have counted and did not, or not for all that is published. */
  readonly isDegraded: boolean
}

interface Dependencies {
  readonly documents: () => Documents
  /** Whether everything published has been indexed by name. */
  readonly isLoaded: () => boolean
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly vectorOf: QuestionVectors
  /** Whether the time of an asset is over: then it is not found. */
  readonly isOver?: (asset: AssetRecord) => boolean
  /** What has been found out about bytes so far; asks nobody. */
  readonly knownOf?: (sha256: string) => Promise<KnownOfBytes>
}

export interface Search {
  search(query: SearchQuery): Promise<SearchResults>
}

/** So many near vectors are compared exactly, and so many alike names are scored. */
const maxNear = 1_000
const maxAlike = 1_000
/** The part of what is published that has to have a vector for meaning to count as complete. */
const completeShare = 0.9

export function createSearch(dependencies: Dependencies): Search {
  const { documents, isLoaded, published, vectorOf, isOver = () => false } = dependencies
  const { knownOf = async () => ({ facts: undefined, sighting: undefined }) } = dependencies
  return {
    async search(query) {
      const question = tidyQuestion(query.question)
      const words = wordsOf(question)
      const vector = words.length === 0 ? undefined : await vectorOf(question, query.network)
      // Everything from here on is of one moment, the vector with the vectors it is compared with.
      const index = documents()
      const isWanted = createFilter(query, index, published)
      const names = matchNames(index, words, isWanted)
      const near = vector ? index.vectors.nearest(vector, maxNear, isWanted) : []
      const named = new Set(namedRows(index, question, isWanted))
      const alike = greatest(names.rows, maxAlike, (row) => names.coverageOf(row))
      const exactness = exactnessFor(question)
      const gainOf = facetGain(index, question)
      const isDegraded = !isLoaded() || (words.length > 0 && (!vector || !isComplete(index)))
      const candidates = [...new Set([...named, ...near, ...alike])].flatMap((row) => {
        const asset = index.at(row)
        if (!asset || isOver(asset)) return []
        const cosine =
          vector && index.vectors.has(row) ? index.vectors.cosine(row, vector) : undefined
        const match: Match = { cosine, coverage: names.coverageOf(row) }
        const isNear = match.coverage >= 0.8 || named.has(row)
        const exact = isNear ? exactness(asset) : 0
        return [{ asset, row, match, exact, raw: rawScore(match) + exact + gainOf(row) }]
      })
      const { minScore } = query
      const shown = rank(candidates, {
        isDegraded,
        isMeant: vector !== undefined,
        showsAll: minScore !== undefined,
      })
        .map((each) => ({ ...each, score: calibrated(each.raw) }))
        .filter(({ score }) => score >= (minScore ?? 0))
        .slice(0, query.limit)
      const foundBy = createFoundBy(index, words)
      const results = await Promise.all(
        shown.map(async ({ asset, row, match, confidence, score }) => {
          const known = await knownOf(asset.sha256)
          return { asset, confidence, score, foundBy: foundBy({ asset, row, match, ...known }) }
        }),
      )
      return {
        results,
        matched: results.filter(({ confidence }) => confidence !== 'low').length,
        mode: modeOf(index.vectors.count > 0 && vector !== undefined, names.isAnyKnown),
        confidence: results[0]?.confidence ?? 'low',
        isDegraded,
      }
    },
  }
}

/** The rows whose path or file name the question is. */
function namedRows(
  index: Documents,
  question: string,
  isWanted: (row: number) => boolean,
): readonly number[] {
  const asked = question.replace(/^\//u, '')
  const path = index.rowOf(asked)
  const named = [...index.rowsNamed(asked)]
  const rows = path === undefined ? named : [path, ...named]
  return rows.filter(isWanted).slice(0, maxAlike)
}

const modeOf = (isMeant: boolean, isAnyKnown: boolean): SearchMode => {
  if (!isMeant) return 'fuzzy'
  return isAnyKnown ? 'hybrid' : 'vector'
}

const isComplete = ({ vectors, size }: Documents): boolean => vectors.count >= size * completeShare

/** Which rows the caller asks for and may see. What is private is found by nobody. */
function createFilter(
  { zone, category, format, zones }: SearchQuery,
  index: Documents,
  published: Dependencies['published'],
): (row: number) => boolean {
  const isOpenByZone = new Map<string, boolean>()
  function isOpen(name: string): boolean {
    const known = isOpenByZone.get(name)
    if (known !== undefined) return known
    const record = published.zone(name)
    const isSeen = (zone === undefined || zone === name) && (zones?.has(name) ?? true)
    const open = isSeen && record?.enabled === true && !record.suspended
    isOpenByZone.set(name, open)
    return open
  }
  const isFacetWanted = (facet: Facet): boolean =>
    isOpen(facet.zone) &&
    !isPrivate(facet) &&
    (category === undefined || facet.category === category) &&
    (format === undefined || facet.format === format)

  const [unknown, wanted, unwanted] = [0, 1, 2]
  const verdictByFacet = new Uint8Array(index.facets.end)
  return (row) => {
    const number = index.facets.of(row)
    const verdict = verdictByFacet[number]
    if (verdict !== unknown) return verdict === wanted
    const facet = index.facets.at(number)
    const isWanted = facet !== undefined && isFacetWanted(facet)
    verdictByFacet[number] = isWanted ? wanted : unwanted
    return isWanted
  }
}
