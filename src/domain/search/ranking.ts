import type { AssetRecord } from '../../ports/records/asset.ts'
import { type Confidence, confidenceOf, isWorthShowing, type Match } from './score.ts'

/** An asset beside a question. */
export interface Candidate {
  readonly asset: AssetRecord
  readonly row: number
  readonly match: Match
  /** More than 0 where the question is its own path or name. */
  readonly exact: number
  /** By which they are put in order. */
  readonly raw: number
}

export type Ranked = Candidate & { readonly confidence: Confidence }

interface Knowledge {
  readonly isDegraded: boolean
  /** Whether the meaning of the question is known. */
  readonly isMeant: boolean
  /** Whether whoever asks says himself from which score on he wants to see something. */
  readonly showsAll: boolean
}

/** What has so much of the question in its names may be meant, where nobody knows what it means. */
const hopefulCoverage = 0.25

/**
 * So many are shown where nothing fits well: something is always nearest, and what is nearest to nothing
 * would fill every page.
 */
const nearestShown = 5

/** What is worth showing, the best first. */
export function rank(candidates: readonly Candidate[], knowledge: Knowledge): readonly Ranked[] {
  const ranked = worthShowing(candidates, knowledge)
    .toSorted((a, b) => b.raw - a.raw || (a.asset.path < b.asset.path ? -1 : 1))
    .map((each) => ({ ...each, confidence: confidenceOf(each.match, each.exact > 0) }))
  return knowledge.showsAll ? ranked : withoutTail(ranked)
}

/** Without what is far from the question, but for the first few; of what is new nobody knows how far it is. */
function withoutTail(ranked: readonly Ranked[]): readonly Ranked[] {
  const shown: Ranked[] = []
  for (const each of ranked) {
    const isNew = each.match.cosine === undefined
    if (each.confidence !== 'low' || isNew || shown.length < nearestShown) shown.push(each)
  }
  return shown
}

/**
 * Of what was stored a moment ago neither the colours nor the meaning are known. It is shown for what is
 * known of it; and where nothing else is found meanwhile, so is all that has some word of the question.
 */
function worthShowing(
  candidates: readonly Candidate[],
  { isDegraded, isMeant }: Knowledge,
): readonly Candidate[] {
  const isNew = ({ cosine, coverage }: Match): boolean =>
    isDegraded && isMeant && cosine === undefined && coverage >= hopefulCoverage
  const worth = candidates.filter(
    ({ match, exact }) => isWorthShowing(match) || exact > 0 || isNew(match),
  )
  return worth.length > 0 || !isDegraded
    ? worth
    : candidates.filter(({ match: { coverage } }) => coverage > 0)
}
