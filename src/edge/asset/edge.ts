import { totalmem } from 'node:os'

import { assetFreshness, type Freshness } from '../../http/response/cache-lifetimes.ts'
import { createRuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import { createPreviewHosts } from '../../domain/content/previews/preview-hosts.ts'
import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { VariantStore } from '../../ports/media/variant-store.ts'
import { isCompressible } from '../../lib/text/compressible-types.ts'
import { createCodings, type Codings } from '../codings/codings.ts'
import { notingVisits } from '../hits/note-visits.ts'
import { createVisitCounter } from '../hits/count-visits.ts'
import { decide, isRead } from '../routing/decide.ts'
import {
  subjectOf,
  type Route,
  type Decision,
  type HeadVisit,
  type Visit,
} from '../routing/decision.ts'
import type { Purges } from './entry-validity.ts'
import type { EdgeBlobs } from '../response/build-representation.ts'
import { createEntries } from './entries.ts'
import type { Entry } from './entry.ts'
import type { HitTap } from '../hits/hit-tap.ts'
import type { RequestNoting } from '../hits/request-tap.ts'
import type { Sanitise } from '../response/sanitised-bytes.ts'
import { refusals, type Refusal } from '../routing/refusals.ts'
import {
  createErrorAndRedirectResponses,
  type ErrorAndRedirectResponses,
} from '../response/error-and-redirect-responses.ts'
import { createLookUp, type KnownDecision, type PastLookUp } from './look-up.ts'
import { createServeFetched } from './serve-fetched.ts'
import { createChooseShared, hitOf, isFollowed, toResponse } from './serve-hot.ts'
import { createOnWire, isPlain, type OnWire } from './serve-on-wire.ts'
import { createSmallAssets } from './small-assets.ts'
import { createServe } from './serve.ts'
import { createSites } from '../routing/site.ts'
import type { Transfers } from '../hits/transfers.ts'
import { createOpenFiles } from '../../lib/files/open-files.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import { createDeltas, type Deltas } from '../codings/deltas.ts'
import type { FormerContentsOf } from '../codings/former-contents.ts'

/** The delivery tier: answers for published files, and for nothing else. */
export interface Edge {
  fetch(request: Request, clientAddress?: string): Response | Promise<Response>
  /** The same response where all of it is at hand. */
  readonly onWire: OnWire
  /** Has no bytes at hand any more until they are asked for again. */
  clearMemory(): void
  [Symbol.dispose](): void
}

export interface EdgeSettings {
  /** Where clients find this service; without it any host name that is no zone's is the service's own. */
  readonly baseUrl?: string | undefined
  /** The host name that the dashboard has for itself; nothing is delivered there. */
  readonly dashboardHost?: string | undefined
  /** Further host names of the service's own. */
  readonly hosts?: readonly string[]
  /** Below it each preview has a host name. */
  readonly previewHost?: string | undefined
  /** How long clients may use a plain URL without asking. */
  readonly freshness?: Freshness
  /** Room for prepared answers: an eighth of the machine's memory, at most 1 GiB, where left out. */
  readonly maxMemoryBytes?: number
  /** Room for coded forms. */
  readonly maxCodedBytes?: number
  /** Up to this size bodies are held in memory; the kernel sends larger ones from their files. */
  readonly maxInlineBytes?: number
}

export interface EdgeDependencies {
  readonly manifest: Manifest
  readonly blobs: EdgeBlobs
  readonly feed?: Feed
  /** Where coded forms outlive the process. */
  readonly variants?: VariantStore
  readonly purges?: Purges
  /** Makes drawings safe for which rules ask that. Without it they are refused. */
  readonly sanitise?: Sanitise | undefined
  /** What stood at a path before. Without it what was delivered here before is known. */
  readonly formerContentsOf?: FormerContentsOf | undefined
  readonly tap?: HitTap
  /** Counts large bodies as they are sent. Without it they count whole as soon as they are begun. */
  readonly transfers?: Pick<Transfers, 'follow'> | undefined
  /** Notes a line for each request. */
  readonly requests?: RequestNoting | undefined
  /** Answers, and counts, what would be refused here, e.g. because a newer state is known there. */
  readonly elsewhere?: (
    request: Request,
    clientAddress: string | undefined,
  ) => Response | Promise<Response>
  /** What former commits have. Without it nothing is known of them. */
  readonly past?: PastLookUp | undefined
  /**
   * What is made on request for a URL at which nothing is published, where it asks for that. `isForAll` says
   * that nobody else would be led elsewhere by a rule.
   */
  readonly made?: (
    request: Request,
    clientAddress: string | undefined,
    isForAll: boolean,
  ) => Promise<Response> | undefined
  /** A file of the service's own for a URL of its own host at which nothing is published. */
  readonly ownFile?: (request: Request) => Promise<Response> | undefined
  readonly settings?: EdgeSettings
  /** The country of a request, two letters; `XX` where it is not known. Asked for every answer. */
  readonly countryOf?: (request: RequestHead, clientAddress: string | undefined) => string
  /** Whether the service's own pages ask: that is not counted. */
  readonly isOwn?: (request: RequestHead) => boolean
  readonly now?: () => Date
  readonly monotonicMs?: () => number
  readonly newId?: () => string
}

type Settled = Exclude<KnownDecision, { kind: 'asset' }>

const minDefaultMemoryBytes = 64 * 1024 * 1024
const maxDefaultMemoryBytes = 1024 * 1024 * 1024
const defaultCodedBytes = 64 * 1024 * 1024
const maxDeltaBytes = 16 * 1024 * 1024
const defaultInlineBytes = 256 * 1024
/** A bulk import must not keep a processor busy for hours with files that nobody may ask for. */
const maxWaitingEarly = 64
/**
 * How often an answer may start over because what it is about was overwritten meanwhile. Then it is
 * answered as it was at some moment since the request came.
 */
const maxAttempts = 4
/** Of the room, how much small assets may take that are sent over HTTP/1.1. */
const smallShare = 0.75
const unknownCountry = 'XX'

export function createEdge(dependencies: EdgeDependencies): Edge {
  const { entries, small, files, responses, serving, counter, closing, ...deciding } =
    assemble(dependencies)
  const chooseShared = createChooseShared(entries)
  const { decideOn, lookUp, monotonicMs } = deciding
  const settle = createSettle(responses, dependencies)

  /** What to send, as it is at some moment since the request came. */
  async function prepare(visit: Visit, route: Route): Promise<Entry | Settled> {
    let current = route
    let latest: Entry | Settled | undefined
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const prepared = await entries.prepare(current)
      const outcome = prepared && outcomeOf(prepared, current)
      const decided = decideOn(visit)
      const decision = decided.kind === 'past' ? await lookUp(visit, decided) : decided
      if (decision.kind !== 'asset') return decision
      latest = outcome ?? latest
      if (latest !== undefined && isSame(decision.route, current)) return latest
      current = decision.route
    }
    return latest ?? refused(refusals.bytesMissing, current)
  }

  const send = createServeFetched({
    serve: serving.serve,
    refuse: (visit, { route }) => settle(visit, refused(refusals.bytesMissing, route)),
  })

  async function prepareAndServe(visit: Visit, route: Route): Promise<Response> {
    const outcome = await prepare(visit, route)
    return isEntry(outcome) ? await send(visit, outcome, 'MISS') : settle(visit, outcome)
  }

  function start(visit: Visit): Response | Promise<Response> {
    const decision = decideOn(visit)
    return decision.kind === 'past'
      ? lookUp(visit, decision).then((known) => follow(visit, known))
      : follow(visit, decision)
  }

  function follow(visit: Visit, decision: KnownDecision): Response | Promise<Response> {
    if (decision.kind !== 'asset') return settle(visit, decision)
    if (decision.route.key === visit.request.url) small.learn(decision.route)
    const entry = entries.find(decision.route.key)
    return entry !== undefined && entries.isCurrent(entry)
      ? send(visit, entry, 'HIT')
      : prepareAndServe(visit, decision.route)
  }

  const serveReadOrStart = (visit: Visit, hot: Entry): Response | Promise<Response> =>
    isPlain(visit.request, hot) ? send(visit, hot, 'HIT') : start(visit)

  return {
    fetch(request, clientAddress) {
      const visit = { request, clientAddress, startMs: monotonicMs() }
      const hot = entries.find(request.url) ?? entries.adopt(small.take(request.url))
      if (hot === undefined || !entries.isCurrent(hot)) return start(visit)
      const shared = chooseShared(request, hot)
      if (shared === undefined || isFollowed(shared)) return serveReadOrStart(visit, hot)
      counter.countHit(hot, hitOf(visit, shared))
      return toResponse(shared)
    },
    onWire: createOnWire({ entries, small, counter, serving, chooseShared, files, monotonicMs }),
    clearMemory: () => deciding.clearMemory(),
    [Symbol.dispose]: () => closing.dispose(),
  }
}

/** A request whose Host means nothing could not be asked again: it is refused here, always. */
const createSettle =
  (responses: ErrorAndRedirectResponses, { elsewhere, ...further }: Further) =>
  (visit: Visit, decision: Settled): Response | Promise<Response> => {
    const { request, clientAddress } = visit
    const found = isMissing(decision) ? inPlaceOf(visit, decision, further) : undefined
    if (found !== undefined) return found
    const isFinal = decision.kind !== 'refused' || decision.refusal === refusals.badHost
    return elsewhere === undefined || isFinal
      ? responses.settle(visit, decision)
      : elsewhere(request, clientAddress)
  }

type Further = Pick<EdgeDependencies, 'elsewhere' | 'made' | 'ownFile'>
type Missing = Extract<Settled, { kind: 'refused' }>

/** What there is for a URL at which nothing is published: an image by a name, or a file of our own where no zone has it. */
function inPlaceOf(
  { request, clientAddress }: Visit,
  { about, dependsOnClient }: Missing,
  { made, ownFile }: Omit<Further, 'elsewhere'>,
): Promise<Response> | undefined {
  const isForAll = dependsOnClient === false
  const image = isRead(request) ? made?.(request, clientAddress, isForAll) : undefined
  return image ?? (about.zone === '' ? ownFile?.(request) : undefined)
}

const isMissing = (decision: Settled): decision is Missing =>
  decision.kind === 'refused' && decision.refusal === refusals.notFound

const isEntry = (outcome: Entry | Settled | Refusal): outcome is Entry => 'route' in outcome

const isSame = (a: Route, b: Route): boolean =>
  a.located.record === b.located.record && a.book === b.book

/** `undefined` where others had asked for it before this request came, and before an overwrite. */
function outcomeOf(prepared: Entry | Refusal, wanted: Route): Entry | Settled | undefined {
  if (!isEntry(prepared)) return refused(prepared, wanted)
  return isSame(prepared.route, wanted) ? prepared : undefined
}

const refused = (refusal: Refusal, { located, url }: Route): Settled => ({
  kind: 'refused',
  refusal,
  about: { ...subjectOf(located), url },
})

function assemble(dependencies: EdgeDependencies) {
  const { manifest, past, blobs, tap, variants, purges } = dependencies
  const { feed, sanitise, formerContentsOf, settings = {} } = dependencies
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = dependencies
  const { baseUrl, dashboardHost, hosts = [], maxCodedBytes = defaultCodedBytes } = settings
  const countryOf = ({ request, clientAddress }: HeadVisit) =>
    dependencies.countryOf?.(request, clientAddress) ?? unknownCountry
  const previewHosts = createPreviewHosts(settings.previewHost)
  const siteOf = createSites({ manifest, baseUrl, dashboardHost, hosts, previewHosts })
  const bookOf = createRuleBooks(manifest)
  const { transfers, isOwn, requests, monotonicMs = () => performance.now() } = dependencies
  const counting = createVisitCounter({ tap, countryOf, transfers, isOwn, monotonicMs })
  const counter =
    requests === undefined ? counting : notingVisits(counting, requests, { countryOf, isOwn })
  const responses = createErrorAndRedirectResponses({ counter, bookOf, now, newId })
  const codings = createCodings({ blobs, variants, maxBytes: maxCodedBytes })
  const deltas = createDeltas({ blobs, variants, formerContentsOf, maxBytes: maxDeltaBytes })
  const sources = { manifest, now, blobs, codings, deltas, siteOf, bookOf, purges, sanitise }
  const entries = createEntries({ ...sources, ...withDefaults(settings) })
  const decideOn = (visit: HeadVisit): Decision =>
    decide(visit, { manifest, past, now, siteOf, baseUrl, bookOf, countryOf })
  const { freshness, maxBytes } = withDefaults(settings)
  const small = createSmallAssets({
    ...sources,
    freshness,
    decideOn,
    counter,
    maxBytes: maxBytes * smallShare,
    onHeld: (bytes) => entries.leaveRoom(bytes),
  })
  const closing = new DisposableStack()
  const files = closing.use(createOpenFiles({ monotonicMs }))
  const codeChanged = (changes: readonly FeedEntry[]): void => {
    for (const path of changedPaths(changes)) codeEarly({ codings, deltas }, manifest.asset(path))
  }
  closing.use(feed?.subscribe(codeChanged))
  return {
    entries,
    small,
    files,
    responses,
    counter,
    serving: createServe({ entries, responses, counter, now, newId }),
    decideOn,
    monotonicMs,
    lookUp: createLookUp({ past, decideOn }),
    clearMemory() {
      for (const each of [entries, small, files, codings, deltas]) each.clear()
    },
    closing,
  }
}

const withDefaults = (settings: EdgeSettings) => ({
  freshness: settings.freshness ?? assetFreshness,
  maxBytes: settings.maxMemoryBytes ?? defaultMemoryBytes(),
  maxInlineBytes: settings.maxInlineBytes ?? defaultInlineBytes,
})

const defaultMemoryBytes = (): number =>
  Math.min(Math.max(totalmem() / 8, minDefaultMemoryBytes), maxDefaultMemoryBytes)

const changedPaths = (changes: readonly FeedEntry[]): readonly string[] =>
  changes.flatMap(({ event, path }) =>
    path !== undefined && (event === 'asset.created' || event === 'asset.updated') ? [path] : [],
  )

/** Codes what has just been published before anyone asks, unless there is much: then on request. */
function codeEarly(
  { codings, deltas }: { readonly codings: Codings; readonly deltas: Deltas },
  record: AssetRecord | undefined,
): void {
  if (record === undefined || !isCompressible(record.contentType)) return
  void codings.make(record, maxWaitingEarly)
  deltas.prepare(record)
}
