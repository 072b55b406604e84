import type { Passage } from './passage.ts'
import { termsOf } from './terms.ts'

/** A page that answers some questions alone, and has a word in common with many. */
interface SidePage {
  readonly isIt: (page: string) => boolean
  /** What of it counts where nothing in the question leads there. */
  readonly share: number
  /** Words that lead there, besides the name of whom it is for. */
  readonly words: string
}

/** The first that fits counts. */
const sidePages: readonly SidePage[] = [
  {
    isIt: (page) => page === 'compared-parameters',
    share: 0.75,
    words: 'cloudinary cloudflare imgproxy imgix bunny compare other others equivalent instead',
  },
  {
    isIt: (page) => page === 'iiif' || /^(?:from|s3)-/u.test(page),
    share: 0.8,
    words: 'migrate migration move switch coming iiif',
  },
  { isIt: (page) => page === 's3', share: 0.9, words: 'bucket amazon aws' },
  {
    isIt: (page) => page === 'notifications',
    share: 0.85,
    words: 'notify notification alert warn warning health told mail',
  },
  { isIt: (page) => page === 'how-to', share: 0.8, words: '' },
  {
    isIt: (page) => page === 'named-transforms',
    share: 0.85,
    words: 'name named names alias preset',
  },
  {
    isIt: (page) => page === 'frameworks',
    share: 0.85,
    words: 'framework next nuxt astro unpic react vue component',
  },
  { isIt: (page) => page === 'errors', share: 0.85, words: 'error status code mean' },
  {
    isIt: (page) => page === 'command-line',
    share: 0.93,
    words: 'command terminal shell cli option flag',
  },
  { isIt: (page) => page === 'edges', share: 0.88, words: 'edge node region elsewhere' },
  {
    isIt: (page) => page === 'containers' || page === 'docker',
    share: 0.88,
    words: 'container docker kubernetes pod image helm compose',
  },
]

/** Who asks how much of something there may be is answered by lists of limits. */
const asksForBound =
  /\b(?:how (?:long|many|much|large|big|often|strong|wide|high)|at most|maximum|max|most|largest|longest|limits?)\b/iu
const limitsShare = 1.15

const pageOf = (url: string): string => /^\/docs\/([\w-]+)/u.exec(url)?.[1] ?? ''

/** `from-cloudinary`, `s3-rclone`: whom it is for. */
const productOf = (page: string): string => /^(?:from|s3)-(.+)$/u.exec(page)?.[1] ?? ''

/**
 * What passages count for a question, each as a share of 1. Pages that put this service beside others, or say
 * everything once more in another order, repeat the words of most questions; they answer those that name them.
 */
export function createPageWeights(passages: readonly Passage[]) {
  const known = new Map(
    [...new Set(passages.map(({ url }) => url))].map((url) => [url, weighed(url)]),
  )
  return (question: string): ((passage: Passage) => number) => {
    const asked = new Set(termsOf(question))
    const limits = asksForBound.test(question) ? limitsShare : 1
    return ({ url }) => {
      const { share, words, isLimits } = known.get(url) ?? weighed(url)
      return (words.isDisjointFrom(asked) ? share : 1) * (isLimits ? limits : 1)
    }
  }
}

interface Weighed {
  readonly share: number
  readonly words: ReadonlySet<string>
  readonly isLimits: boolean
}

function weighed(url: string): Weighed {
  const page = pageOf(url)
  const { share, words } = sidePages.find(({ isIt }) => isIt(page)) ?? { share: 1, words: '' }
  return {
    share,
    words: new Set(share === 1 ? [] : termsOf(`${words} ${productOf(page)}`)),
    isLimits: url.endsWith('#limits'),
  }
}
