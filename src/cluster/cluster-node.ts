import { setTimeout as pause } from 'node:timers/promises'

import { type Leadership, electLeader } from '../domain/cluster/leader-election.ts'
import { ServiceError } from '../domain/errors.ts'
import { errorResponse } from '../http/response/envelopes.ts'
import type { Service } from '../server/responder.ts'
import type { ShowCertificates } from '../domain/certificates/certificate-set.ts'
import { forwardedField, positionField } from '../edge-node/peer-proxy.ts'
import { isDelivered } from '../server/routes.ts'
import type { RepositoryCopied } from '../wiring/reads/read-parts.ts'
import type { World } from '../wiring/world.ts'
import { type ClusterStores, openClusterStores, termMs } from '../wiring/content/cluster-stores.ts'
import { openStandby, type StandbyNode, untilKnown } from './standby.ts'
import type { RequestHead } from '../http/wire/request-head.ts'

/** Responses that began while it stood by may take so long to end. */
const lingerMs = 30_000
const followEveryMs = 500

type OpenService = (world: World) => Promise<Service>

/**
 * One of several nodes with the same database and blobs. Whichever of them has the right to write is the
 * service; the others deliver what is published and pass everything else on to it.
 */
export async function openClusterNode(world: World, openService: OpenService): Promise<Service> {
  await using opening = new AsyncDisposableStack()
  const stores = await openClusterStores(world, opening)
  const node = new ClusterNode(world, stores, openService)
  opening.use(node)
  await node.ready
  const opened = opening.move()
  return node.asService(() => opened.disposeAsync())
}

class ClusterNode implements AsyncDisposable {
  readonly #world: World
  readonly #stores: ClusterStores
  readonly #openService: OpenService
  readonly #election: AsyncDisposable
  readonly #following: ReturnType<typeof setInterval>
  readonly #ready = Promise.withResolvers<void>()
  #leadership: Leadership | undefined
  #writer: string | undefined
  #standby: Promise<StandbyNode> | undefined
  #responding: StandbyNode | Service | undefined
  #service: Service | undefined
  /** Nothing that this node still has to write would be taken. */
  #isLost = false
  /** What waits for a response of the node that writes, and is refused once that is not sure any more. */
  readonly #waiting = new Set<() => void>()
  #keepOpen: (request: Request) => void = () => {}
  #showCertificates: ShowCertificates | undefined

  constructor(world: World, stores: ClusterStores, openService: OpenService) {
    this.#world = world
    this.#stores = stores
    this.#openService = openService
    this.#following = setInterval(() => {
      this.#follow()
      this.#refuseWaiting()
    }, followEveryMs)
    this.#election = electLeader({
      lease: stores.lease,
      url: this.#address,
      termMs,
      monotonicMs: world.monotonicMs,
      pause: (milliseconds, signal) =>
        pause(milliseconds, undefined, { signal }).catch(() => undefined),
      onWriter: (address) => this.#see(address),
      lead: (leadership) => this.#lead(leadership),
      onLost: () => this.#lose(),
      log: world.log,
    })
  }

  /** Resolves once the node responds. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  asService(close: () => Promise<void>): Service {
    const service = () => this.#service
    return {
      fetch: (request, peerAddress) => this.#fetch(request, peerAddress),
      respondOnWire: (request, peerAddress) =>
        this.#mayRespond(request)
          ? this.#responding?.respondOnWire?.(request, peerAddress)
          : undefined,
      metrics: () => this.#responding?.metrics(),
      keepOpenWith: (keepOpen) => {
        this.#keepOpen = keepOpen
        this.#responding?.keepOpenWith(keepOpen)
      },
      get newestSeq() {
        return service()?.newestSeq ?? 0
      },
      onPublished: (listener) => service()?.onPublished(listener) ?? nothingToDispose,
      countHits: (rows, audience) => service()?.countHits(rows, audience),
      takeLines: (taken) => service()?.takeLines(taken),
      collectHitsWith: (collect) => service()?.collectHitsWith(collect),
      certificates: {
        all: () => this.#responding?.certificates?.all() ?? [],
        showWith: (show) => {
          this.#showCertificates = show
          this.#responding?.certificates?.showWith(show)
        },
      },
      respondToQuery: async (query) => await this.#responding?.respondToQuery(query),
      domainOf: (hostname) => this.#responding?.domainOf(hostname),
      endStreams: () => this.#responding?.endStreams(),
      [Symbol.asyncDispose]: close,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#following)
    await this.#election[Symbol.asyncDispose]()
    const standby = await this.#standby?.catch(() => undefined)
    await standby?.[Symbol.asyncDispose]()
    const closed = this.#service?.[Symbol.asyncDispose]()
    if (!this.#isLost) await closed
    if (this.#leadership !== undefined) await this.#stores.lease.release(this.#leadership.epoch)
  }

  get #address(): string {
    return this.#world.config.clusterAddress ?? ''
  }

  #fetch(request: Request, peerAddress: string): Response | Promise<Response> {
    const responding = this.#responding
    if (responding === undefined || !this.#mayRespond(request)) return this.#refuse()
    const response = responding.fetch(request, peerAddress)
    if (responding !== this.#service || reading.has(request.method)) return response
    const sure = this.#whileCurrent(response)
    return request.headers.has(forwardedField) ? this.#withPosition(sure) : sure
  }

  /** The response, or a refusal as soon as another node may be writing: whoever asked must not wait for long. */
  async #whileCurrent(response: Response | Promise<Response>): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const refuse = () => resolve(this.#refuse())
    this.#waiting.add(refuse)
    try {
      return await Promise.race([response, promise])
    } finally {
      this.#waiting.delete(refuse)
    }
  }

  #refuseWaiting(): void {
    if (this.#leadership?.isCurrent === true) return
    for (const refuse of this.#waiting) refuse()
  }

  #lose(): void {
    this.#isLost = true
    this.#refuseWaiting()
    this.#world.onFatal(new Error('Another node writes now'))
  }

  async #withPosition(pending: Response | Promise<Response>): Promise<Response> {
    const response = await pending
    const seq = this.#service?.newestSeq
    if (seq !== undefined) response.headers.set(positionField, String(seq))
    return response
  }

  /** A node that is not sure to be the one that writes has nothing to say but what is published. */
  #mayRespond(request: RequestHead): boolean {
    if (this.#responding === this.#service)
      return this.#leadership?.isCurrent === true || isDelivered(request.url)
    return !request.headers.has(forwardedField)
  }

  #refuse(): Response {
    const { newId, now } = this.#world
    return errorResponse(new ServiceError('Unavailable', 'No node may write at this moment'), {
      envelope: 'standard',
      requestId: newId(),
      at: now(),
      headers: { 'Retry-After': '1' },
    })
  }

  /** Stands by as soon as there is somebody to stand by for. */
  #see(address: string | undefined): void {
    const isOther = address !== undefined && address !== this.#address
    this.#writer = isOther ? address : undefined
    if (!isOther || this.#leadership !== undefined) return
    this.#standby ??= this.#standBy()
    this.#standby.catch((error: unknown) => this.#ready.reject(error))
  }

  async #standBy(): Promise<StandbyNode> {
    const standby = await openStandby(this.#world, {
      blobs: this.#stores.blobs,
      certificates: this.#stores.certificates,
      address: this.#address,
      writer: () => this.#writer,
      repository: this.#repository(),
    })
    // Not waited for: this node may be the next that writes, and then nobody is left to be known from.
    void untilKnown(standby).then(
      () => this.#leadership === undefined && this.#respondWith(standby),
      (error: unknown) => this.#ready.reject(error),
    )
    return standby
  }

  #follow(): void {
    if (this.#standby === undefined) return
    this.#catchUp().catch((error: unknown) =>
      this.#world.log.warn('the repository could not be followed', { error }),
    )
  }

  /** Never once this node is to write: where its repository stands is then for its own commits to say. */
  async #catchUp(): Promise<void> {
    if (this.#leadership === undefined) await this.#stores.follower.catchUp()
  }

  #repository(): RepositoryCopied {
    const { blobs, follower } = this.#stores
    return {
      blobs,
      get state() {
        return follower.state
      },
      catchUp: () => this.#catchUp(),
    }
  }

  async #lead(leadership: Leadership): Promise<void> {
    const { blobs, packs, follower, publications } = this.#stores
    this.#leadership = leadership
    try {
      const { commitId } = await publications.position()
      await follower.resetTo(commitId)
      const { epoch } = leadership
      const writing = { epoch, blobs, packs }
      this.#service = await this.#openService({ ...this.#world, writing })
    } catch (error) {
      this.#leadership = undefined
      throw error
    }
    this.#respondWith(this.#service)
    this.#world.log.info('this node writes now', { epoch: leadership.epoch })
    void this.#leaveStandby()
  }

  #respondWith(responding: StandbyNode | Service): void {
    this.#responding = responding
    responding.keepOpenWith(this.#keepOpen)
    this.#showCertificatesOf(responding)
    this.#ready.resolve()
  }

  #showCertificatesOf({ certificates }: StandbyNode | Service): void {
    const show = this.#showCertificates
    if (show === undefined || certificates === undefined) return
    certificates.showWith(show)
    void Promise.resolve(show(certificates.all())).catch((error: unknown) =>
      this.#world.log.error('certificates could not be shown', { error }),
    )
  }

  async #leaveStandby(): Promise<void> {
    const standby = await this.#standby?.catch(() => undefined)
    if (standby === undefined) return
    standby.endStreams()
    const timer = setTimeout(() => void standby[Symbol.asyncDispose](), lingerMs)
    timer.unref()
  }
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const nothingToDispose: Disposable = { [Symbol.dispose]() {} }
