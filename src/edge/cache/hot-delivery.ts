import { apiVersion } from '../../http/response/envelopes.ts'
import { hostnameIn } from '../../http/request/host-field.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import { unchangedFields } from '../../http/response/respond.ts'
import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { noPlace } from '../hits/asset-counts.ts'
import type { HitOwner, VisitCounter } from '../hits/count-visits.ts'
import { maxUnfollowedBytes } from '../hits/transfers.ts'
import { keyPartsOf } from '../purge/cache-key.ts'
import { deliveryKeyOf, unknownParameters } from '../purge/delivery-key.ts'
import type { PurgeGenerations } from '../purge/purge-generations.ts'
import type { HttpCache, ReadyResponse } from './http-cache.ts'
import { blobWhereTaken, HeldResponse } from '../../http/wire/held-response.ts'
import { heldFor } from './reuse/cached-response.ts'
import { hideOwnTags, sourceOf } from './shown-tags.ts'
import { isFileBody } from './store/body-files.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import {
  createWireTemplate,
  type WireRequest,
  type WireResponse,
  type RoomyBody,
  type WireTemplate,
} from '../../http/wire/wire-response.ts'
import { type BytesAtHand, createBytesAtHand } from './bytes-at-hand.ts'

/** A URL that stands for another one as long as nothing happens that could change that. */
export interface StandIn {
  /** The URL that the response is stored for. */
  readonly url: string
  /** The purge counters of what could. */
  readonly counters: readonly string[]
  /** The newest purge when it was found to stand for it. */
  readonly generation: number
}

/** What is told of each response. */
export interface HotResponse {
  readonly request: RequestHead
  readonly response: Response
  readonly peerAddress: string
  /** The URL that it is stored for. */
  readonly key: string
  /** The path of the asset that it was made from. */
  readonly asset: string
  readonly milliseconds: number
  readonly bodyBytes: number
}

export interface HotDeliveryOptions {
  readonly cache: Pick<HttpCache, 'ready'>
  readonly generations: Pick<PurgeGenerations, 'newest' | 'stateOf'>
  readonly counter: Pick<VisitCounter, 'countHit'>
  readonly assetAt: (path: string) => Pick<AssetRecord, 'zone' | 'path'> | undefined
  /** Whether what is stored for a URL is an image that was made of an asset. */
  readonly isTransform: (key: string) => boolean
  readonly newId: () => string
  readonly monotonicMs: () => number
  /** Absent where nobody wants to be told. */
  readonly onResponse?: ((sent: HotResponse) => void) | undefined
}

/**
 * The two responses that nearly every request for something made gets, before anything of it is taken apart: a
 * whole body, and a 304 to a client that sends back the very tag it was given.
 */
export interface HotDelivery {
  /**
   * `undefined` where the URL was not learnt, or more is asked for: then the general way must be taken, which
   * would come to the same response.
   */
  fetch(request: Request, peerAddress: string): Response | undefined
  /** The same as it is sent, where the bytes are at hand. */
  onWire(request: WireRequest, peerAddress: string): WireResponse | undefined
  /** Looks whether the cache can respond to the request at once, and remembers its URL then. */
  learn(request: Request, standIn?: StandIn): void
  clear(): void
}

interface KnownUrl {
  readonly key: string
  readonly counters: readonly string[]
  /** The newest purge that is known not to cover it. */
  generation: number
}

/** A stored response as it is sent again; made anew for each second. */
interface Prepared {
  readonly ready: ReadyResponse
  readonly sizeBytes: number
  /** Nobody may keep these two: they are changed for each response, which copies them. */
  readonly whole: Headers
  readonly unchanged: Headers
  readonly owner: HitOwner
  /** Made when one is wanted. */
  readonly templates: { whole?: WireTemplate; unchanged?: WireTemplate }
}

const maxUrlBytes = 8 * 2 ** 20
const overheadBytes = 256
const bytesPerCharacter = 2

export function createHotDelivery(options: HotDeliveryOptions): HotDelivery {
  const { cache, generations } = options
  const urls = createS3FifoCache<KnownUrl>(maxUrlBytes)
  const prepare = createPreparing(options)
  const bytesAtHand = createBytesAtHand()
  const { send, sendOnWire } = createSending(options, bytesAtHand)

  function isCurrent(known: KnownUrl): boolean {
    if (known.generation === generations.newest || known.counters.length === 0) return true
    if (generations.stateOf(known.generation, known.counters) !== 'current') return false
    known.generation = generations.newest
    return true
  }

  /** What is sent for the request, and whose it is. */
  function find(request: RequestHead): Found | undefined {
    const known = urls.get(request.url)
    if (known === undefined || request.method !== 'GET' || asksMore(request.headers))
      return undefined
    if (!isCurrent(known)) {
      urls.delete(request.url)
      return undefined
    }
    const ready = cache.ready(known.key, request.headers)
    const prepared = ready && prepare(ready)
    const slot = prepared && slotOf(request.headers, prepared)
    return slot && { key: known.key, prepared, slot }
  }

  return {
    fetch(request, peerAddress) {
      const found = find(request)
      return found && send(found, { request, peerAddress })
    },
    onWire(request, peerAddress) {
      const found = find(request)
      return found && sendOnWire(found, { request, peerAddress })
    },
    learn({ url, method, headers }, standIn = standsAlone(url)) {
      if (method !== 'GET' || urls.get(url) !== undefined) return
      const key = keyOf(standIn)
      const ready = key === undefined ? undefined : cache.ready(key, headers)
      if (ready === undefined || prepare(ready) === undefined) return
      const { counters, generation } = standIn
      const known = { key: ready.stored.key, counters, generation }
      const characters = url.length + known.key.length
      urls.set(url, known, overheadBytes + bytesPerCharacter * characters)
    },
    clear() {
      urls.clear()
      bytesAtHand.clear()
    },
  }
}

const standsAlone = (url: string): StandIn => ({ url, counters: [], generation: 0 })

/** `undefined` where a response is for one URL alone, or purges would not find it. */
function keyOf({ url }: StandIn): string | undefined {
  const key = deliveryKeyOf(url)
  return unknownParameters(url).length === 0 && isPlainHost(key) ? key : undefined
}

/** What is stored, made ready to be sent; `undefined` where that is for the general way. */
function createPreparing({ assetAt, isTransform }: HotDeliveryOptions) {
  const known = new WeakMap<ReadyResponse['stored'], Prepared>()
  return (ready: ReadyResponse): Prepared | undefined => {
    const { stored, headers } = ready
    const former = known.get(stored)
    if (former?.ready.headers === headers) return former
    const sizeBytes = sizeToSend(stored)
    const source = sourceOf(headers)
    const record = source === undefined ? undefined : assetAt(source)
    if (sizeBytes === undefined || record === undefined) return undefined
    const owner = former?.owner ?? ownerOf(record, isTransform(stored.key))
    const prepared = { ready, sizeBytes, owner, ...fieldsToSend(headers), templates: {} }
    known.set(stored, prepared)
    return prepared
  }
}

/** Of a body in memory that counts whole at once; `undefined` of any other. */
function sizeToSend({ status, body }: ReadyResponse['stored']): number | undefined {
  const { sizeBytes, isComplete } = body
  const isInMemory = isComplete && !isFileBody(body)
  return status === 200 && isInMemory && (sizeBytes ?? Infinity) <= maxUnfollowedBytes
    ? sizeBytes
    : undefined
}

function fieldsToSend(headers: Headers): Pick<Prepared, 'whole' | 'unchanged'> {
  const whole = new Headers(headers)
  hideOwnTags(whole)
  whole.set('X-API-Version', apiVersion)
  return { whole, unchanged: unchangedFields(whole) }
}

const ownerOf = (
  { zone, path }: HitOwner['route']['located']['record'],
  isTransform: boolean,
): HitOwner => ({
  route: { located: { record: { zone, path } } },
  place: noPlace(),
  isTransform,
})

interface Found {
  /** The URL that it is stored for. */
  readonly key: string
  readonly prepared: Prepared
  readonly slot: 'full' | 'notModified'
}

interface Asked {
  readonly request: RequestHead
  readonly peerAddress: string
}

function slotOf(headers: Headers, prepared: Prepared): Found['slot'] | undefined {
  const tag = headers.get('if-none-match')
  if (tag === null) return headers.has('if-modified-since') ? undefined : 'full'
  return isItsOwn(tag, prepared) ? 'notModified' : undefined
}

function createSending(
  { counter, newId, monotonicMs, onResponse }: HotDeliveryOptions,
  bytesAtHand: BytesAtHand,
) {
  function count({ prepared, slot }: Found, { request, peerAddress }: Asked, startMs: number) {
    const bodyBytes = slot === 'full' ? prepared.sizeBytes : 0
    const visit = { request, clientAddress: peerAddress, startMs }
    counter.countHit(prepared.owner, { visit, slot, bodyBytes })
    const { path: asset } = prepared.owner.route.located.record
    return { bodyBytes, asset, milliseconds: monotonicMs() - startMs }
  }

  function send(found: Found, asked: Asked): Response {
    const startMs = monotonicMs()
    const response = responseTo(
      found,
      asked.request,
      incomingRequestId(asked.request.headers) ?? newId(),
    )
    const counted = count(found, asked, startMs)
    onResponse?.({ ...asked, key: found.key, response, ...counted })
    return response
  }

  function sendOnWire(found: Found, asked: Asked): WireResponse | undefined {
    const startMs = monotonicMs()
    const { prepared, slot, key } = found
    const body = slot === 'full' ? bytesAtHand.of(prepared.ready.stored) : undefined
    if (slot === 'full' && body === undefined) return undefined
    const requestId = incomingRequestId(asked.request.headers) ?? newId()
    const wire = templateOf(found, body)(requestId)
    const counted = count(found, asked, startMs)
    if (onResponse !== undefined) {
      const { status } = wire
      const response = new Response(null, { status, headers: { 'X-Request-ID': requestId } })
      onResponse({ ...asked, key, response, ...counted })
    }
    return wire
  }

  return { send, sendOnWire }
}

function responseTo({ prepared, slot }: Found, request: RequestHead, requestId: string): Response {
  const fields = slot === 'full' ? prepared.whole : prepared.unchanged
  fields.set('X-Request-ID', requestId)
  const { stored } = prepared.ready
  const held = slot === 'full' ? heldFor(stored, request) : undefined
  if (held !== undefined) return new HeldResponse(held, { headers: fields })
  return slot === 'full'
    ? blobWhereTaken(request, stored.body.open(), { headers: fields })
    : new Response(null, { status: 304, headers: fields })
}

function templateOf({ prepared, slot }: Found, body: RoomyBody | undefined): WireTemplate {
  const { templates, whole, unchanged } = prepared
  return slot === 'full'
    ? (templates.whole ??= createWireTemplate({ status: 200, headers: whole, body }))
    : (templates.unchanged ??= createWireTemplate({
        status: 304,
        headers: unchanged,
        body: undefined,
      }))
}

/** A weak tag is equal too, but a client that sends one was not given it here. */
const isItsOwn = (tag: string, { ready }: Prepared): boolean =>
  tag === ready.stored.validators.etag && tag.startsWith('"') && tag.endsWith('"')

/** Bun joins repeated fields, and no host name holds a comma: two hosts are refused elsewhere. */
const asksMore = (headers: Headers): boolean =>
  headers.has('range') ||
  headers.has('if-match') ||
  headers.has('if-unmodified-since') ||
  headers.has('x-api-version') ||
  headers.has('service-worker') ||
  headers.get('host')?.includes(',') === true

/** Whether the host name is written as purges that speak of it have it. */
function isPlainHost(key: string): boolean {
  const { host } = keyPartsOf(key)
  return hostnameIn(host) === host
}
