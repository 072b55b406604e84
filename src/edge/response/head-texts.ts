import { hasHeaderRules } from '../../domain/content/rules/books/book-headers.ts'
import { headWith, headWithoutLength } from '../../http/wire/prepared-response.ts'
import { formatHttpDate } from '../../http/request/http-date.ts'
import { holdBytes } from '../../lib/bytes/held-bytes.ts'
import { isScript } from '../../lib/text/media-types.ts'
import { type AssetRecord, assetWith } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import type { Route } from '../routing/decision.ts'
import { buildRepresentation, bytesFactsOf, type Lifetimes } from './build-representation.ts'
import type { Representation } from './representation.ts'

/** The heads of a 200 as they are sent over HTTP/1.1, one character a byte. */
export interface HeadTexts {
  readonly hit: string
  readonly miss: string
}

/** `undefined` for what a browser could keep as a service worker, which not everybody who asks may. */
export type HeadTextsOf = (route: Route) => HeadTexts | undefined

/** What heads of one zone differ in besides what a template leaves open. More kinds than these are made anew. */
const maxKinds = 1_000

/**
 * Makes the heads of stored bytes that are sent as they are. Where no rule and nothing of the asset's own has a say,
 * those of a type differ in its hash, its date and its length alone: they are made of the first one's.
 */
export function createHeadTexts(lifetimes: Lifetimes): HeadTextsOf {
  const templatesByZone = new WeakMap<ZoneRecord, Map<string, Template>>()

  function templateOf(route: Route): Template {
    const { record, zone } = route.located
    const templates = templatesByZone.get(zone) ?? new Map<string, Template>()
    templatesByZone.set(zone, templates)
    const kind = `${record.contentType}\n${record.category}\n${record.format}`
    const known = templates.get(kind)
    if (known !== undefined) return known
    if (templates.size >= maxKinds) templates.clear()
    const template = createTemplate(route, lifetimes)
    templates.set(kind, template)
    return template
  }

  return (route) => {
    const { record } = route.located
    if (record.metadata !== undefined || hasHeaderRules(route.book)) {
      const made = representationOf(route, lifetimes)
      const { headers, contentType } = made
      const isScriptOfOurs = route.url.isOwnHost && isScript(contentType)
      if (isScriptOfOurs || headers.has('content-length')) return undefined
      const hit = headWithoutLength(headers)
      return withLengths({ hit, miss: headWithoutLength(made.full('MISS').headers) }, record)
    }
    const { hit, miss } = templateOf(route)
    const own = { sha256: record.sha256, date: formatHttpDate(record.changedAt) }
    return withLengths({ hit: filledIn(hit, own), miss: filledIn(miss, own) }, record)
  }
}

const withLengths = ({ hit, miss }: HeadTexts, { sizeBytes }: AssetRecord): HeadTexts => ({
  hit: headWith(hit, sizeBytes),
  miss: headWith(miss, sizeBytes),
})

/** As it is kept for those who ask for more. */
const representationOf = (route: Route, lifetimes: Lifetimes): Representation =>
  buildRepresentation(
    route,
    { ...bytesFactsOf(route.located.record), held: holdBytes(nothing), isFile: false },
    lifetimes,
  )

const nothing = new Uint8Array(0)
/** No asset has it. */
const anyHash = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
const tagDigits = 12
const places = { hash: '\ue000', tag: '\ue001', date: '\ue002' }

interface Template {
  readonly hit: readonly string[]
  readonly miss: readonly string[]
}

function createTemplate(route: Route, lifetimes: Lifetimes): Template {
  const { located } = route
  const record = assetWith(located.record, { sha256: anyHash })
  const made = representationOf({ ...route, located: { ...located, record } }, lifetimes)
  return {
    hit: piecesOf(headWithoutLength(made.headers)),
    miss: piecesOf(headWithoutLength(made.full('MISS').headers)),
  }
}

/** What stays, and between that a place each. Field values hold none of these characters. */
const piecesOf = (head: string): readonly string[] =>
  head
    .replaceAll(anyHash, places.hash)
    .replaceAll(anyHash.slice(0, tagDigits), places.tag)
    .replace(/^(Last-Modified: ).*$/mu, `$1${places.date}`)
    .split(/([\ue000-\ue002])/u)

interface Own {
  readonly sha256: string
  readonly date: string
}

function filledIn(pieces: readonly string[], { sha256, date }: Own): string {
  let head = ''
  for (const piece of pieces)
    if (piece === places.hash) head += sha256
    else if (piece === places.tag) head += sha256.slice(0, tagDigits)
    else head += piece === places.date ? date : piece
  return head
}
