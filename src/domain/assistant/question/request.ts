import { type Facets, readFacets } from './facets.ts'
import { asksForMeaning } from '../knowledge/definitions.ts'
import type { PublicAssets } from './public-assets.ts'

/**
 * `open` is whatever fits best, because the message does not say; `address` is that of a transformed
 * image.
 */
export type Intent = 'count' | 'total' | 'list' | 'find' | 'fact' | 'url' | 'greeting' | 'open'

/** What a list is of. */
export type Subject = 'assets' | 'zones' | 'categories' | 'formats'

/** A message as it is understood. */
export interface Request {
  readonly intent: Intent
  readonly subject: Subject
  readonly message: string
  readonly facets: Facets
  /** Whether it leans on what was said before. */
  readonly isFollowUp: boolean
}

interface Known {
  readonly assets: PublicAssets
  readonly zones: ReadonlySet<string> | undefined
}

const greeting =
  /^\W*(?:hi|hello|hey|good (?:morning|evening|day)|thanks?|thank you|bye|help|who are you|what can you do)(?: there| so much| a lot)?\W*$/iu
const permission =
  /\b(?:can|could|may|might|must|should|allowed|limit|limits|maximum|max|minimum|possible|at most|at once|support|supports|supported|produce|per)\b/iu
const howTo =
  /^\W*(?:how (?!many|much)|why\b|when\b|who\b|can (?:i|you|we|it)\b|does\b|do i\b|is it\b|what (?:does|do|happens|happen|if|should|is (?:a|an|the|it)?)\b|which (?:header|setting|port|key|status|code|command)\b)/iu
const counting = /\bhow many\b|\bnumber of\b|\bcount\b|\bhow much\b/iu
const totalling =
  /\btotal (?:size|bytes|storage|weight)\b|\bhow (?:big|large|heavy) are\b|\bhow (?:much (?:space|storage)|many bytes)\b/iu
const listing =
  /\b(?:list|enumerate|show (?:me )?(?:all|every|the)|give me (?:all|the|a list)|which|what|name (?:all|the))\b/iu
const finding =
  /\b(?:find|search for|look(?:ing)? for|show me|do (?:you|we) have|have you got|i need|i want|we need)\b/iu
const leaning =
  /^\W*(?:and|or|only|just|but|now|then|also|instead|as|in|what about|how about|which ones?|how many of|how many are they|the same|same)\b|\b(?:that|it|those|them|they|these|this|ones?|of that)\b/iu
const question =
  /\?\s*$|^\W*(?:how|what|which|why|when|who|where|can|could|does|do|is|are|should|may|must)\b/iu

export function readRequest(message: string, { assets, zones }: Known): Request {
  const facets = readFacets(message, assets, zones)
  const subject = subjectOf(message)
  return {
    intent: intentOf(message, facets, subject),
    subject,
    message,
    facets,
    isFollowUp: isShort(message) && (leaning.test(message) || isBare(facets)),
  }
}

const isShort = (message: string): boolean => message.trim().split(/\s+/u).length <= 8

/** Attributes and nothing they belong to: `800 wide`, `png`. */
const isBare = ({ words, paths, transform, formats, sorting, looks }: Facets): boolean =>
  words.length === 0 &&
  paths.length === 0 &&
  (transform.size > 0 || formats !== undefined || sorting !== undefined || looks.length > 0)

function subjectOf(message: string): Subject {
  const [, noun = ''] =
    /\b(?:which|what|list|show|how many|number of|count|name)\b(?:\s+(?:me|all|the|of|are|different|distinct|other|file|image)){0,6}\s+(zones?|tenants?|projects?|categor(?:y|ies)|formats?|types?|extensions?)\b/iu.exec(
      message,
    ) ?? []
  if (/^(?:zone|tenant|project)/iu.test(noun)) return 'zones'
  if (/^categor/iu.test(noun)) return 'categories'
  return noun === '' ? 'assets' : 'formats'
}

function intentOf(message: string, facets: Facets, subject: Subject): Intent {
  if (greeting.test(message)) return 'greeting'
  if (asksForMeaning(message)) return 'fact'
  if (facets.transform.size > 0 && !howTo.test(message)) return 'url'
  const isBound = permission.test(message)
  return (
    (isBound ? undefined : catalogueIntent(message, facets, subject)) ??
    (howTo.test(message) || isBound ? 'fact' : looseIntent(message, facets))
  )
}

/** What can be looked up exactly. */
function catalogueIntent(message: string, facets: Facets, subject: Subject): Intent | undefined {
  if (!facets.hasNoun && subject === 'assets' && facets.zone === undefined) return undefined
  if (totalling.test(message)) return 'total'
  if (counting.test(message)) return 'count'
  return isList(message, facets, subject) ? 'list' : undefined
}

function looseIntent(message: string, facets: Facets): Intent {
  if (facets.paths.length > 0 || facets.hasNoun || finding.test(message)) return 'find'
  return question.test(message) ? 'fact' : 'open'
}

function isList(message: string, facets: Facets, subject: Subject): boolean {
  if (facets.sorting !== undefined) return true
  if (!listing.test(message)) return false
  if (subject !== 'assets') return subjectWords(facets).length === 0
  return facets.words.length === 0 || /\b(?:list|all|every)\b/iu.test(message)
}

/** The word for the subject itself says nothing more. */
const subjectWords = ({ words }: Pick<Facets, 'words'>): readonly string[] =>
  words.filter(
    (word) =>
      !/^(?:zones?|tenants?|projects?|categor(?:y|ies)|formats?|types?|extensions?)$/u.test(word),
  )
