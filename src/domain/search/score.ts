import type { AssetRecord } from '../../ports/records/asset.ts'
import { stemWords } from './words/index-text.ts'
import { lettersOf, wordsOf } from './words/words.ts'

export interface Match {
  /** Of question and asset; `undefined` where one of them has no vector. */
  readonly cosine: number | undefined
  /** The share of the question that the asset's names cover. */
  readonly coverage: number
}

/** What the right asset's cosine often is at least; below it is mostly chance. */
const worthwhileCosine = 0.18
const worthwhileCoverage = 0.25
/** A middling cosine, for what has no vector. */
const unknownCosine = 0.1

/** How sure it is that what was found is what was meant. */
export type Confidence = 'high' | 'medium' | 'low'

/**
 * Measured with the model that comes in its package: what is right has often a cosine above the first, and
 * of letters without a meaning nine in ten are below the second to all that there is.
 */
const sure = { cosine: 0.45, coverage: 0.8 }
export const doubtful = { cosine: 0.36, coverage: 0.5 }

export function confidenceOf({ cosine = 0, coverage }: Match, isExact: boolean): Confidence {
  if (isExact || cosine >= sure.cosine || coverage >= sure.coverage) return 'high'
  return cosine >= doubtful.cosine || coverage >= doubtful.coverage ? 'medium' : 'low'
}

export const isWorthShowing = ({ cosine = 0, coverage }: Match): boolean =>
  cosine >= worthwhileCosine || coverage >= worthwhileCoverage

/** Coverage counts little until most of the question is covered: a common word alone says nothing. */
export const rawScore = ({ cosine = unknownCosine, coverage }: Match): number =>
  cosine + 0.6 * coverage ** 2

/** 0 to 1, three decimals, in the order of raw scores. */
export const calibrated = (raw: number): number =>
  Math.round(1000 / (1 + Math.exp(-9 * (raw - 0.33)))) / 1000

type Nameable = Pick<AssetRecord, 'path' | 'name' | 'format' | 'metadata'>

/** What is added where the question is an asset's own path or name, so that nothing comes before it. */
export function exactnessFor(question: string): (asset: Nameable) => number {
  const asked = question.replace(/^\//u, '').toLowerCase()
  const words = wordsOf(asked).join(' ')
  // After a separator there is another word to come.
  const begun = /[-_.]$/u.test(asked) ? `${words} ` : words
  const letters = words.replaceAll(' ', '')
  return (asset) => {
    if (asked === asset.path.toLowerCase()) return 6
    if (asked === asset.name.toLowerCase()) return 4
    const { title } = asset.metadata ?? {}
    if (title !== undefined && letters !== '' && lettersOf(title) === letters) return 2
    if (!lettersOf(asset.name).startsWith(letters)) return 0
    return beginning(begun, stemWords(asset).join(' '))
  }
}

/** The beginning of a word says something from so many letters on. */
const tellingLength = 5

/** Names that begin with the question come before others, whole words first, then the shorter. */
function beginning(asked: string, stem: string): number {
  if (asked.trim() === '' || !stem.startsWith(asked)) return 0
  const left = stem.length - asked.length
  if (left === 0) return 2
  const isWhole = asked.endsWith(' ') || stem[asked.length] === ' '
  const shortness = 1.2 / (1 + left / 4)
  return isWhole || asked.length >= tellingLength ? 0.4 + shortness : 0.1 * shortness
}
