import { termsOf } from '../knowledge/terms.ts'
import { type Confidence, type Draft, draftOf, passageSource } from '../knowledge/draft.ts'
import type { KnownFact, KnownFacts } from '../knowledge/knowledge.ts'

const shown = 3
/** What scores so much less than the best is not worth a line. */
const worthwhileShare = 0.72
const mostlySaid = 0.8

/** What the documentation says, in its own words. */
export function factDraft({ facts, isDegraded, confidence }: KnownFacts): Draft {
  const best = facts[0]?.score ?? 0
  const near = facts.filter(({ score }) => score >= best * worthwhileShare)
  const chosen = near
    .filter(
      (fact, place) =>
        !isSaidBy(near.slice(0, place), fact) && !isOfOperation(near.slice(0, place), fact),
    )
    .slice(0, shown)
  return draftOf({
    text: chosen.map(lineOf).join('\n'),
    sources: chosen.map(({ passage }) => passageSource(passage)),
    confidence: isDegraded ? lowered(confidence) : confidence,
    isDegraded,
  })
}

/** Pages repeat each other; once is enough. */
function isSaidBy(others: readonly KnownFact[], { passage }: KnownFact): boolean {
  const terms = new Set(termsOf(passage.text))
  return others.some((other) => {
    const shared = terms.intersection(new Set(termsOf(other.passage.text))).size
    return shared >= terms.size * mostlySaid
  })
}

/** Parameters of an operation are much alike; the one that fits best stands for it. */
const isOfOperation = (others: readonly KnownFact[], { passage: { url } }: KnownFact): boolean =>
  url.startsWith('/api/') && others.some(({ passage }) => passage.url === url)

const lineOf = ({ passage: { title, text } }: KnownFact, place: number): string =>
  `${headingOf(title)}: ${text} [${place + 1}]`

const headingOf = (title: string): string => title.slice(title.lastIndexOf('›') + 1).trim()

const lowered = (confidence: Confidence): Confidence =>
  confidence === 'high' ? 'medium' : confidence
