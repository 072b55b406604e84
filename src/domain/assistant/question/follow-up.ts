import type { Facets } from './facets.ts'
import type { Intent, Request } from './request.ts'

const narrowing = /\b(?:only|just|of (?:those|them|these)|which of)\b/iu

/** What is meant where a message leans on the one before: the former wish with what is new of this one. */
export function refine(former: Request | undefined, current: Request): Request {
  if (former === undefined || !current.isFollowUp) return current
  if (current.intent === 'url' || current.facets.paths.length > 0) return current
  if (former.intent === 'fact' || former.intent === 'greeting')
    return hasOwnWish(current)
      ? current
      : { ...current, message: `${former.message} ${current.message}`, intent: 'fact' }
  return {
    ...current,
    intent: intentAfter(former, current),
    subject: isWhich(current.message) ? 'assets' : former.subject,
    message: [...former.facets.words, current.message].join(' '),
    facets: merged(former.facets, current),
  }
}

function intentAfter(former: Request, { intent, message }: Request): Intent {
  if (isWhich(message)) return 'list'
  if (/\b(?:how many|count)\b/iu.test(message)) return 'count'
  return ['count', 'total', 'list'].includes(intent) ? intent : former.intent
}

const isWhich = (message: string): boolean =>
  /^\W*which (?:ones?|are (?:they|those))\b/iu.test(message)
const hasOwnWish = ({ intent }: Request): boolean => intent !== 'fact' && intent !== 'open'

function merged(former: Facets, { facets, message }: Request): Facets {
  const isNarrowing = narrowing.test(message)
  const words = facets.words.length === 0 ? former.words : facets.words
  return {
    ...facets,
    zone: facets.zone ?? former.zone,
    category: facets.category ?? former.category,
    ...(facets.formats === undefined
      ? { formats: former.formats, kind: former.kind }
      : { formats: facets.formats, kind: facets.kind }),
    sorting: facets.sorting ?? former.sorting,
    limit: facets.limit ?? former.limit,
    looks: [...new Set([...former.looks, ...facets.looks])],
    words: isNarrowing ? [...new Set([...former.words, ...facets.words])] : words,
    hasNoun: true,
  }
}
