import type { Embedder } from '../../../ports/media/embedder.ts'
import type { VectorStore } from '../../../ports/media/vector-store.ts'
import { bytesBesideParts, createPackedVectors } from '../../search/vectors/packed-vectors.ts'
import { createQuestionVectors } from '../../search/vectors/question-vectors.ts'
import { textVectors } from '../../search/vectors/text-vectors.ts'
import { definitionShare, definedWord } from './definitions.ts'
import type { Confidence } from './draft.ts'
import { createPageWeights } from './page-weights.ts'
import type { Passage } from './passage.ts'
import { createPassageIndex, type PassageIndex, type WordMatch } from './passage-index.ts'
import type { ReadyMadeVectors } from './ready-made-vectors.ts'

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

interface FindOptions {
  /** No model is waited for. */
  readonly byWordsAlone?: boolean
}

/** What the documentation says, found by words and by meaning. */
export interface Knowledge {
  find(question: string, limit: number, options?: FindOptions): Promise<KnownFacts>
  /**
   * Works out what passages mean to a model, and has it answer from then on. Rejects with
   * `EmbedderUnavailableError` where it is not there; what answered before then goes on.
   */
  learn(embedder: Embedder, signal: AbortSignal): Promise<void>
  /** Makes ready what the first question would wait for. */
  prepare(): Promise<void>
}

interface Dependencies {
  readonly passages: readonly Passage[]
  readonly store: VectorStore
  /** Vectors of passages that need not be made, where the model is like the one that made them. */
  readonly readyMade?: ReadyMadeVectors | undefined
  /** How long an answer waits for the model. */
  readonly maxWaitMs: number
}

/** What finds passages by their words. */
interface Prepared {
  readonly words: PassageIndex
  readonly weightsFor: ReturnType<typeof createPageWeights>
}

const preparedOf = async (passages: readonly Passage[]): Promise<Prepared> => ({
  words: await createPassageIndex(passages),
  weightsFor: createPageWeights(passages),
})

/** What passages mean to a model. */
interface Meanings {
  readonly embedder: Embedder
  readonly vectors: ReturnType<typeof createPackedVectors>
}

/** What was made of a batch is kept even where the rest fails. */
const batchSize = 64

/** Words and meaning count about the same: questions share words with what answers them. */
const meaningShare = 0.6
/** What says what a word means goes before what only uses it. */
const definitionWeight = 0.3
const glossaryWeight = 0.6
const glossary = '/docs/concepts'
/** That of a sentence that says what the word is; rows of tables name much. */
const sentenceShare = 0.9
/** What is below either is mostly chance. */
const worthwhileCosine = 0.36
const leastCosine = 0.25
const halfCoverage = 0.5
const worthwhileCoverage = 0.4
const sureCosine = 0.55
const sureCoverage = 0.7

export function createKnowledge(dependencies: Dependencies): Knowledge {
  const { passages, store, readyMade, maxWaitMs } = dependencies
  // A start is not to wait for what the first question needs.
  let prepared: Promise<Prepared> | undefined
  const prepare = (): Promise<Prepared> => (prepared ??= preparedOf(passages))
  let meanings: Meanings | undefined
  const vectorOf = createQuestionVectors(
    {
      get embedder() {
        return meanings?.embedder
      },
    },
    maxWaitMs,
  )

  async function vectorsOf(texts: readonly string[], embedder: Embedder, signal: AbortSignal) {
    const vectors = new Map(readyFor(embedder, texts, readyMade))
    const missing = texts.filter((text) => !vectors.has(text))
    for (let start = 0; start < missing.length && !signal.aborted; start += batchSize) {
      const batch = new Set(missing.slice(start, start + batchSize))
      for (const entry of await textVectors(batch, { embedder, store, signal }))
        vectors.set(...entry)
    }
    return vectors
  }

  return {
    async find(question, limit, { byWordsAlone = false } = {}) {
      const { words, weightsFor } = await prepare()
      const matches = words.match(question)
      const vector = byWordsAlone ? undefined : await vectorOf(question)
      const vectors = vector && meanings?.vectors
      const word = definedWord(question)
      const weightOf = weightsFor(question)
      const bestScore = Math.max(1e-9, ...matches.map(({ score }) => score))
      const scored = passages.map((passage, row) => {
        const match = matches[row] ?? { score: 0, coverage: 0 }
        const cosine = vectors ? vectors.dot(row, vector) : undefined
        const defined = word ? definitionScore(passage, word) : 0
        const score = scoreOf(match.score / bestScore, cosine) * weightOf(passage) + defined
        return { passage, match, cosine, score }
      })
      return { ...bestOf(scored, limit), isDegraded: vectors === undefined }
    },
    async learn(embedder, signal) {
      if (meanings?.embedder === embedder) return
      const texts = passages.map(meaningText)
      const packed = await vectorsOf(texts, embedder, signal)
      const [first] = packed.values()
      if (first === undefined || signal.aborted) return
      const vectors = createPackedVectors(first.length - bytesBesideParts, texts.length)
      for (const [row, text] of texts.entries()) {
        const bytes = packed.get(text)
        if (bytes) vectors.set(row, bytes)
      }
      meanings = { embedder, vectors }
    },
    async prepare() {
      await prepare()
    },
  }
}

/** The page of concepts is there to say what words mean; others only begin with it. */
function definitionScore(passage: Passage, word: readonly string[]): number {
  const share = definitionShare(passage, word)
  const { url } = passage
  const isMeant = url.startsWith(glossary) && (share >= sentenceShare || url.endsWith('#words'))
  return share * (isMeant ? glossaryWeight : definitionWeight)
}

function readyFor(
  embedder: Embedder,
  texts: readonly string[],
  readyMade: ReadyMadeVectors | undefined,
): readonly (readonly [text: string, packed: Uint8Array])[] {
  if (readyMade === undefined || !embedder.isLike(readyMade.space)) return []
  return texts.flatMap((text) => {
    const packed = readyMade.vectorOf(text)
    return packed === undefined ? [] : [[text, packed] as const]
  })
}

/** The page does not matter for what a fact means, its heading does. */
export const meaningText = ({ title, text }: Passage): string =>
  `${title.slice(title.lastIndexOf('›') + 1).trim()}: ${text.replaceAll('`', '')}`

const scoreOf = (words: number, cosine: number | undefined): number =>
  cosine === undefined ? words : meaningShare * cosine + (1 - meaningShare) * words

interface Rated {
  readonly match: WordMatch
  readonly cosine: number | undefined
}

function bestOf(
  scored: readonly (KnownFact & Rated)[],
  limit: number,
): Pick<KnownFacts, 'facts' | 'confidence'> {
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, limit)
  const isToThePoint = best.some(isWorthwhile)
  return {
    facts: isToThePoint ? best : [],
    confidence: best.some(isSure) ? 'high' : isToThePoint ? 'medium' : 'low',
  }
}

/** Where meaning is known, words alone are not enough: a city's name may be that of an edge. */
const isWorthwhile = ({ match, cosine }: Rated): boolean =>
  cosine === undefined
    ? match.coverage >= worthwhileCoverage
    : cosine >= worthwhileCosine || (match.coverage >= halfCoverage && cosine >= leastCosine)

const isSure = ({ match, cosine = 0 }: Rated): boolean =>
  cosine >= sureCosine || match.coverage >= sureCoverage
