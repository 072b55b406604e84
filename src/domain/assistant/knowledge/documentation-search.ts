import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { definedWord } from './definitions.ts'
import { createHeadingIndex } from './heading-index.ts'
import type { Knowledge } from './knowledge.ts'
import type { Passage } from './passage.ts'
import { plainText } from './plain-text.ts'
import { otherTermsFor, termsOf } from './terms.ts'

/** A page of the documentation, at the place that fits best. */
export interface FoundPage {
  readonly page: string
  /** What the place is called; empty at the top of the page. */
  readonly heading: string
  /** A path on this service with its anchor. */
  readonly url: string
  /** What is said there, without marks. */
  readonly text: string
}

export interface FoundPages {
  /** The best first, each page once. */
  readonly pages: readonly FoundPage[]
  /** Whether meaning should have counted and did not. */
  readonly isDegraded: boolean
}

export interface DocumentationSearch {
  /** By words and meaning; by words alone it waits for no model. */
  find(question: string, options: FindOptions): Promise<FoundPages>
}

interface FindOptions {
  readonly limit: number
  readonly byWordsAlone?: boolean
}

interface Dependencies {
  readonly passages: readonly Passage[]
  readonly knowledge: Pick<Knowledge, 'find'>
}

/** Passages that are looked at for each question; they are of some dozen pages. */
const candidates = 80
const keptQuestions = 500
/** What scores less, beside the best, has a word in common and no more. */
const leastShare = 0.35
/** Several passages of one page make it likelier that it is the page. */
const moreShare = 0.12
/** The page that says what words mean, for who asks what a word means. */
const glossary = '/docs/concepts'
const glossaryBonus = 0.3
/** The README says everything once more. */
const introduction = '/docs/'
const introductionFactor = 0.75
const operationFactor = 0.75
/** A page that is called what is asked for is about it. */
const namedBonus = 0.2

/** Finds pages, also while the last word is still being written: headings are found by how words begin. */
export function createDocumentationSearch({
  passages,
  knowledge,
}: Dependencies): DocumentationSearch {
  const headings = createHeadingIndex(passages)
  const kept = new LruCache<FoundPages>({ maxWeight: keptQuestions, weigh: () => 1 })

  async function search(question: string, byWordsAlone: boolean): Promise<FoundPages> {
    const { facts, isDegraded } = await knowledge.find(question, candidates, { byWordsAlone })
    const byPage = new Map<string, Candidate>()
    const consider = (passage: Passage, score: number): void => {
      const path = pageOf(passage.url)
      const known = byPage.get(path) ?? { best: passage, bestScore: 0, scores: [] }
      const isBest = score > known.bestScore
      byPage.set(path, {
        best: isBest ? passage : known.best,
        bestScore: isBest ? score : known.bestScore,
        scores: [...known.scores, score],
      })
    }
    const shareByUrl = headings.match(question)
    for (const { passage, score } of facts)
      if (score > 0) consider(passage, score + (shareByUrl.get(passage.url)?.share ?? 0))
    for (const { passage, share } of shareByUrl.values()) consider(passage, share)
    return { pages: ranked(byPage, question), isDegraded }
  }

  return {
    async find(question, { limit, byWordsAlone = false }) {
      const key = `${byWordsAlone}:${question.toLowerCase()}`
      const known = kept.get(key)
      const found = known ?? (await search(question, byWordsAlone))
      if (known === undefined && (byWordsAlone || !found.isDegraded)) kept.set(key, found)
      return { ...found, pages: found.pages.slice(0, limit) }
    },
  }
}

interface Candidate {
  readonly best: Passage
  readonly bestScore: number
  readonly scores: readonly number[]
}

/** Each operation of the interface is a page of its own. */
const pageOf = (url: string): string =>
  url.startsWith('/docs/') ? (url.split('#', 1)[0] ?? url) : url

function ranked(byPage: ReadonlyMap<string, Candidate>, question: string): FoundPage[] {
  const asksForWord = definedWord(question) !== undefined
  const asked = termsOf(question)
  const terms = new Set([...asked, ...asked.flatMap(otherTermsFor)])
  const scored = [...byPage].map(([path, candidate]) => ({
    page: foundPage(candidate.best),
    score:
      scoreOf(path, candidate, asksForWord) +
      (!asksForWord && isNamed(candidate, terms) ? namedBonus : 0),
  }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score >= best * leastShare)
    .toSorted((a, b) => b.score - a.score)
    .map(({ page }) => page)
}

/** Whether all words of a page's title are asked for, be it in other words. */
function isNamed({ best: { title, url } }: Candidate, asked: ReadonlySet<string>): boolean {
  const words = termsOf(title.split(' › ', 1)[0] ?? '')
  return url.startsWith('/docs/') && words.length > 0 && words.every((word) => asked.has(word))
}

function scoreOf(path: string, { bestScore, scores }: Candidate, asksForWord: boolean): number {
  const [, second = 0, third = 0] = scores.toSorted((a, b) => b - a)
  const score = bestScore + moreShare * (second + third)
  if (path === introduction) return score * introductionFactor
  if (!path.startsWith('/docs/')) return score * operationFactor
  return asksForWord && path === glossary ? score + glossaryBonus : score
}

function foundPage({ title, url, text }: Passage): FoundPage {
  const [page = '', ...headings] = title.split(' › ')
  return { page, heading: headings.at(-1) ?? '', url, text: plainText(text) }
}
