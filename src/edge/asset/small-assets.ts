import type { AssetRecord } from '../../ports/records/asset.ts'
import { isCompressible } from '../../lib/text/compressible-types.ts'
import { preparedResponse } from '../../http/wire/prepared-response.ts'
import type { WireResponse } from '../../http/wire/wire-response.ts'
import { hasHeaderRules } from '../../domain/content/rules/books/book-headers.ts'
import type { VisitCounter } from '../hits/count-visits.ts'
import type { EdgeBlobs } from '../response/build-representation.ts'
import { createHeadTexts } from '../response/head-texts.ts'
import { isToBeSanitised } from '../response/sanitised-bytes.ts'
import type { LoadOptions } from '../response/load-bytes.ts'
import type { Decision, HeadVisit, Route } from '../routing/decision.ts'
import {
  countersOfResponse,
  createFindingValidity,
  type ValidityOptions,
} from './entry-validity.ts'
import { type SmallPlace, SmallRows } from './small-rows.ts'

/**
 * Small files that are sent as they are stored, for whoever asks for nothing more, over HTTP/1.1. Nothing of this
 * waits: what is not here is read where its bytes are in memory anyway, and else left to others.
 */
export interface SmallAssets {
  /** The response, counted; `undefined`, and nothing is counted, where others have to respond. */
  respond(visit: HeadVisit): WireResponse | undefined
  /** Says that a URL was found to be an asset's, so that those beside it may be looked for here. */
  learn(route: Route): void
  /** Hands over what is kept for a URL, as long as it is what would be found now. */
  take(url: string): TakenAsset | undefined
  clear(): void
}

export interface TakenAsset {
  readonly route: Route
  readonly bytes: Uint8Array
  readonly generation: number
}

interface Options extends ValidityOptions, Pick<LoadOptions, 'freshness'> {
  readonly blobs: EdgeBlobs
  readonly decideOn: (visit: HeadVisit) => Decision
  readonly counter: Pick<VisitCounter, 'countHit' | 'countAsset'>
  readonly maxBytes: number
  /** Told of what is held. */
  readonly onHeld: (bytes: number) => void
}

const maxBodyBytes = 64 * 1024
/** Longer heads are left to others. */
const maxHeadBytes = 8 * 1024
/** Zones at their origins that are known. */
const maxPlaces = 4_096

export function createSmallAssets(options: Options): SmallAssets {
  const { blobs, decideOn } = options
  const rows = new SmallRows(options.maxBytes)
  const currentRow = createCurrentRow(rows, options)
  const { sendHit, sendMiss } = createSending(rows, options)
  const placeByPrefix = new Map<string, SmallPlace>()
  const isPlain = rememberPlain()

  /** Where the URL is all that decides. */
  function routeOf(visit: HeadVisit): Route | undefined {
    const decision = decideOn(visit)
    const isAsset = decision.kind === 'asset' && decision.route.key === visit.request.url
    return isAsset ? decision.route : undefined
  }

  function find(visit: HeadVisit): WireResponse | undefined {
    const known = placeByPrefix.get(prefixOf(visit.request.url))
    if (known === undefined) return undefined
    const route = routeOf(visit)
    if (route === undefined || !isSmall(route, options)) return undefined
    const place = placeOf(route, known)
    if (place !== known) placeByPrefix.set(prefixOf(route.key), place)
    return sendMiss(visit, route, place)
  }

  return {
    respond(visit) {
      if (!isPlain(visit.request)) return undefined
      const row = currentRow(visit.request.url)
      if (row !== undefined) return sendHit(visit, row)
      return blobs.readAtOnce === undefined ? undefined : find(visit)
    },
    learn(route) {
      const prefix = prefixOf(route.key)
      if (blobs.readAtOnce === undefined || placeByPrefix.has(prefix)) return
      if (!isSmall(route, options)) return
      if (placeByPrefix.size >= maxPlaces) placeByPrefix.clear()
      placeByPrefix.set(prefix, placeOf(route))
    },
    take(url) {
      const row = currentRow(url)
      if (row === undefined) return undefined
      const { record, headBytes, generation } = rows.at(row)
      const bytes = Uint8Array.from(rows.bytesOf(row).subarray(headBytes))
      rows.remove(row)
      const request = { url, method: 'GET', headers: new Headers() }
      const route = routeOf({ request, clientAddress: undefined })
      return route?.located.record === record ? { route, bytes, generation } : undefined
    },
    clear() {
      rows.clear()
      options.onHeld(rows.heldBytes)
    },
  }
}

/** Finds the row of a URL that is still what would be made now. */
function createCurrentRow(rows: SmallRows, options: Options) {
  const { purges } = options
  const isFoundStill = createFindingValidity(options)

  function isCurrent(row: number, url: string): boolean {
    const { record, place, generation } = rows.at(row)
    const { zone, site, book, url: ruled } = place
    const located = { record, shown: record, zone }
    if (!isFoundStill({ site, book, url: ruled, located })) return false
    if (purges === undefined || generation === purges.newest) return true
    const counters = countersOfResponse(url, record, tagsIn(rows.bytesOf(row)))
    if (purges.stateOf(generation, counters) !== 'current') return false
    rows.keepGeneration(row, purges.newest)
    return true
  }

  return (url: string): number | undefined => {
    const row = rows.find(url)
    if (row === undefined || isCurrent(row, url)) return row
    rows.remove(row)
    return undefined
  }
}

function createSending(rows: SmallRows, options: Options) {
  const { blobs, counter, purges, onHeld } = options
  const headsOf = createHeadTexts(options)
  const lent = Buffer.allocUnsafeSlow(maxHeadBytes + maxBodyBytes)
  let toldBytes = 0

  function sendHit(visit: HeadVisit, row: number): WireResponse {
    const { record, headBytes } = rows.at(row)
    rows.use(row)
    const bytes = rows.bytesOf(row)
    const hit = { visit, slot: 'full', bodyBytes: bytes.length - headBytes } as const
    counter.countHit({ route: { located: { record } }, place: rows.countPlaceOf(row) }, hit)
    rows.keepCountPlace(row)
    return preparedResponse(bytes, headBytes)
  }

  /** The row of the bytes, read to where they are kept. */
  function readRow(route: Route, head: string, place: SmallPlace): number | undefined {
    const { record } = route.located
    const headBytes = head.length
    const about = { record, place, generation: purges?.newest ?? 0, headBytes }
    const row = rows.add(route.key, headBytes + record.sizeBytes, about)
    if (row === undefined) return undefined
    const bytes = rows.bytesOf(row)
    if (blobs.readAtOnce?.(record.sha256, bytes.subarray(headBytes)) !== true) {
      rows.remove(row)
      return undefined
    }
    bytes.write(head, 'latin1')
    if (rows.heldBytes !== toldBytes) onHeld((toldBytes = rows.heldBytes))
    return row
  }

  /** What is kept says that it was at hand; what is sent is a copy with a head that does not. */
  function sendMiss(visit: HeadVisit, route: Route, place: SmallPlace): WireResponse | undefined {
    const heads = headsOf(route)
    if (heads === undefined || heads.miss.length > maxHeadBytes) return undefined
    const row = readRow(route, heads.hit, place)
    if (row === undefined) return undefined
    const body = rows.bytesOf(row).subarray(heads.hit.length)
    const outcome = { status: 200, cache: 'MISS', bodyBytes: body.length } as const
    counter.countAsset({ visit, about: route.located.record, outcome })
    const { miss } = heads
    lent.write(miss, 'latin1')
    lent.set(body, miss.length)
    return preparedResponse(lent.subarray(0, miss.length + body.length), miss.length)
  }

  return { sendHit, sendMiss }
}

/** Up to the version in a path: what is beside it is routed alike. */
const prefixOf = (url: string): string => url.slice(0, url.indexOf('/v1/', url.indexOf('://') + 3))

/** Whether it is one response for everybody, of the stored bytes alone, and what is published there now. */
function isSmall(route: Route, options: Pick<Options, 'freshness' | 'bookOf'>): boolean {
  const { located, status, dependsOnClient, url, book } = route
  const { record, shown } = located
  return (
    status === 200 &&
    !dependsOnClient &&
    shown === record &&
    record.zone === url.zone &&
    isPlainVersion(located) &&
    isSmallAsStored(record) &&
    !(hasHeaderRules(book) && isToBeSanitised(route, options))
  )
}

const isPlainVersion = ({ pin, preview }: Route['located']): boolean =>
  pin === undefined && preview === undefined

const isSmallAsStored = ({ sizeBytes, contentType }: AssetRecord): boolean =>
  sizeBytes > 0 && sizeBytes <= maxBodyBytes && !isCompressible(contentType)

/** The one that is known, where it is the same. */
function placeOf({ site, book, url, located: { zone } }: Route, known?: SmallPlace): SmallPlace {
  if (known?.site === site && known.book === book && known.zone === zone) return known
  return { site, book, zone, url: { hostname: url.hostname, zone: url.zone } }
}

const furtherFields = [
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'x-request-id',
  'want-repr-digest',
  'service-worker',
] as const

/** Whether nothing but the URL says what is sent. Clients send the same fields again and again. */
function rememberPlain(): (request: HeadVisit['request']) => boolean {
  const known = new WeakMap<Headers, boolean>()
  return ({ method, headers }) => {
    if (method !== 'GET') return false
    const remembered = known.get(headers)
    if (remembered !== undefined) return remembered
    const isPlain = !furtherFields.some((name) => headers.has(name))
    known.set(headers, isPlain)
    return isPlain
  }
}

const tagLines = /^(Cache-Tag|Surrogate-Key): (.*)$/gmu

/** The fields of a head that name its tags. */
function tagsIn(bytes: Buffer): Headers {
  const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'))
  const headers = new Headers()
  for (const [, name = '', value = ''] of head.matchAll(tagLines)) headers.set(name, value)
  return headers
}
