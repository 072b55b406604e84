import { setImmediate } from 'node:timers/promises'

import type { Embedder } from '../../ports/embedder.ts'
import type { VectorStore } from '../../ports/vector-store.ts'
import { bytesBesideParts, createPackedVectors, packVector } from '../search/packed-vectors.ts'
import type { QuestionVectors } from '../search/question-vectors.ts'
import type { Confidence } from './draft.ts'
import type { Passage } from './passage.ts'
import { createPassageIndex, type WordMatch } from './passage-index.ts'

export interface KnownFact {
  readonly passage: Passage
  /** 0 to 1; what it means depends on whether meaning counted. */
  readonly score: number
}

export interface KnownFacts {
  /** The best first; empty where nothing is to the point. */
  readonly facts: readonly KnownFact[]
  /** Of the best. */
  readonly confidence: Confidence
  /** Whether meaning should have counted and did not. */
  readonly isDegraded: boolean
}

/** What the documentation says, found by words and by meaning. */
export interface Knowledge {
  find(question: string, limit: number): Promise<KnownFacts>
  /** Works out what passages mean. Rejects with `EmbedderUnavailableError` where there is no model. */
  complete(signal: AbortSignal): Promise<void>
}

interface Dependencies {
  readonly passages: readonly Passage[]
  readonly vectorOf: QuestionVectors
  readonly embedder: Embedder
  readonly store: VectorStore
}

/** Words and meaning count about the same: questions share words with what answers them. */
const meaningShare = 0.6
/** What is below either is mostly chance. */
const worthwhileCosine = 0.36
const leastCosine = 0.25
const halfCoverage = 0.5
const worthwhileCoverage = 0.4
const sureCosine = 0.55
const sureCoverage = 0.7

export function createKnowledge({ passages, vectorOf, embedder, store }: Dependencies): Knowledge {
  const index = createPassageIndex(passages)
  const texts = passages.map(meaningText)
  let vectors: ReturnType<typeof createPackedVectors> | undefined

  async function vectorsOf(signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const keys = texts.map((text) => Bun.SHA256.hash(text, 'hex'))
    const kept = await store.find(embedder.space, keys)
    const packed: Uint8Array[] = []
    for (const [place, text] of texts.entries()) {
      if (signal.aborted) return []
      const key = keys[place] ?? ''
      const found = kept.get(key) ?? packVector(await embedder.embed(text, 'background'))
      if (!kept.has(key) && !signal.aborted)
        await store.save(embedder.space, new Map([[key, found]]))
      packed.push(found)
      await setImmediate()
    }
    return packed
  }

  return {
    async find(question, limit) {
      const matches = index.match(question)
      const vector = await vectorOf(question)
      const meanings = vector && vectors
      const bestScore = Math.max(1e-9, ...matches.map(({ score }) => score))
      const scored = passages.map((passage, row) => {
        const match = matches[row] ?? { score: 0, coverage: 0 }
        const cosine = meanings ? meanings.dot(row, vector) : undefined
        return { passage, match, cosine, score: scoreOf(match.score / bestScore, cosine) }
      })
      const best = scored.toSorted((a, b) => b.score - a.score).slice(0, limit)
      return {
        facts: best.some(isWorthwhile) ? best : [],
        confidence: best.some(isSure) ? 'high' : best.some(isWorthwhile) ? 'medium' : 'low',
        isDegraded: meanings === undefined,
      }
    },
    async complete(signal) {
      const packed = await vectorsOf(signal)
      const [first] = packed
      if (first === undefined) return
      const table = createPackedVectors(first.length - bytesBesideParts, packed.length)
      for (const [row, bytes] of packed.entries()) table.set(row, bytes)
      vectors = table
    },
  }
}

/** The page does not matter for what a fact means, its heading does. */
const meaningText = ({ title, text }: Passage): string =>
  `${title.slice(title.lastIndexOf('›') + 1).trim()}: ${text.replaceAll('`', '')}`

const scoreOf = (words: number, cosine: number | undefined): number =>
  cosine === undefined ? words : meaningShare * cosine + (1 - meaningShare) * words

interface Rated {
  readonly match: WordMatch
  readonly cosine: number | undefined
}

/** Where meaning is known, words alone are not enough: a city's name may be that of an edge. */
const isWorthwhile = ({ match, cosine }: Rated): boolean =>
  cosine === undefined
    ? match.coverage >= worthwhileCoverage
    : cosine >= worthwhileCosine || (match.coverage >= halfCoverage && cosine >= leastCosine)

const isSure = ({ match, cosine = 0 }: Rated): boolean =>
  cosine >= sureCosine || match.coverage >= sureCoverage
