import { Slots } from '../../lib/async/slots.ts'
import type { Log } from '../../lib/log.ts'
import type { CertificateStore } from '../../ports/domains/certificate-store.ts'
import type { Domains } from '../content/domains/domains.ts'
import type { LocalFeed } from '../feed.ts'
import { type ReconcileDependencies, createReconcile } from './reconcile.ts'
import {
  type CertificateSet,
  createCertificateSet,
  type ShowCertificates,
} from './certificate-set.ts'
import { createReconcileSchedule } from './reconcile-schedule.ts'
import { createRevocations } from './revocation.ts'

/** Sees to it that every domain has a certificate, and no certificate outlives its domain. */
export interface CertificateManager extends AsyncDisposable {
  /** Starts whatever is due. To be called often. */
  tick(): void
  /** Resolves once nothing that was started is under way. */
  idle(): Promise<void>
  readonly certificates: Pick<CertificateSet, 'get' | 'all'>
}

interface Dependencies extends Omit<
  ReconcileDependencies,
  'domains' | 'certificates' | 'store' | 'orders'
> {
  readonly domains: Pick<Domains, 'all' | 'ofHost' | 'transition' | 'prove'>
  readonly feed: Pick<LocalFeed, 'subscribe'>
  readonly store: CertificateStore
  readonly show: ShowCertificates
  readonly log: Pick<Log, 'warn'>
}

const maxOrders = 4
/** Who is waited for no longer when the service ends: it is begun again at the next start. */
const closingMs = 3_000

export async function openCertificateManager(
  dependencies: Dependencies,
): Promise<CertificateManager> {
  const { domains, store, show, feed, now } = dependencies
  let isClosed = false
  /** What is left undone at the end is begun again at the next start. */
  const log: Dependencies['log'] = {
    warn: (message, facts) => void (isClosed || dependencies.log.warn(message, facts)),
  }
  const certificates = createCertificateSet(await store.list(), show)
  const reconcile = createReconcile({ ...dependencies, certificates, orders: new Slots(maxOrders) })
  const revocations = createRevocations({
    ...dependencies,
    isReplaced: (hostname) => certificates.get(hostname) !== undefined,
  })
  const background = createBackground((error) =>
    log.warn('certificates could not be seen to', { error }),
  )
  const work = { domains, certificates, reconcile }
  const schedule = createReconcileSchedule({ ...work, now, log, onEnd: tidy })

  /** Lets go of certificates whose domain is gone. */
  function tidy(): void {
    const unused = certificates.all().filter(({ hostname }) => !domains.ofHost(hostname))
    for (const { hostname } of unused) letGo(hostname)
  }

  function letGo(hostname: string): void {
    const certificate = certificates.get(hostname)
    // Whoever is seeing to it tidies up afterwards.
    if (certificate === undefined || schedule.isUnderWay(hostname)) return
    certificates.delete(hostname)
    revocations.add(certificate)
    background.add(certificates.show())
  }

  async function idle(): Promise<void> {
    while (schedule.count + background.count > 0)
      await Promise.all([schedule.idle(), background.idle()])
  }

  const subscription = feed.subscribe((entries) => {
    if (entries.some(({ event }) => event === 'zone.deleted')) tidy()
    // Even where somebody else has the name by now: theirs is another domain.
    for (const { event, data } of entries)
      if (event === 'domain.updated' && data['removed'] === true) letGo(String(data['hostname']))
  })
  tidy()
  return {
    tick() {
      if (isClosed) return
      schedule.start()
      for (const task of revocations.tick()) background.add(task)
    },
    idle,
    certificates,
    async [Symbol.asyncDispose]() {
      isClosed = true
      subscription[Symbol.dispose]()
      await withinMs(closingMs, idle())
    },
  }
}

/** Work that nobody waits for until the end. */
function createBackground(onFault: (error: unknown) => void) {
  const running = new Set<Promise<void>>()
  return {
    add(task: Promise<void>): void {
      const settled: Promise<void> = task.catch(onFault).finally(() => running.delete(settled))
      running.add(settled)
    },
    get count() {
      return running.size
    },
    idle: async () => void (await Promise.all(running)),
  }
}

async function withinMs(milliseconds: number, task: Promise<void>): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([task, timeIsUp])
  clearTimeout(timer)
}
