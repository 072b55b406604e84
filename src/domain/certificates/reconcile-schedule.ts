import type { Log } from '../../lib/log.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { Domains } from '../content/domains/domains.ts'
import type { CertificateSet } from './certificate-set.ts'

interface Dependencies {
  readonly domains: Pick<Domains, 'all'>
  readonly certificates: Pick<CertificateSet, 'get'>
  readonly reconcile: (domain: DomainRecord) => Promise<void>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Called after each domain that was seen to. */
  readonly onEnd: () => void
}

/** Sees to the domains whose time has come, a bounded number at once and each by one alone. */
export interface ReconcileSchedule {
  start(): void
  isUnderWay(hostname: string): boolean
  readonly count: number
  idle(): Promise<void>
}

const maxAttended = 64
/** What could not be recorded is done again then. */
const afterFaultMs = 10_000

export function createReconcileSchedule(dependencies: Dependencies): ReconcileSchedule {
  const { domains, certificates, reconcile, now, log, onEnd } = dependencies
  const running = new Map<string, Promise<void>>()
  const restingUntilMs = new Map<string, number>()

  /** A domain that ought to have a certificate and has none does not wait for its time. */
  const isDue = ({ hostname, nextCheckAt, sslStatus }: DomainRecord, atMs: number): boolean =>
    !running.has(hostname) &&
    (restingUntilMs.get(hostname) ?? 0) <= atMs &&
    (nextCheckAt.getTime() <= atMs ||
      (sslStatus === 'active' && certificates.get(hostname) === undefined))

  async function see(domain: DomainRecord): Promise<void> {
    const { hostname } = domain
    restingUntilMs.delete(hostname)
    try {
      await reconcile(domain)
    } catch (error) {
      restingUntilMs.set(hostname, now().getTime() + afterFaultMs)
      log.warn('a domain could not be seen to', { hostname, error })
    } finally {
      running.delete(hostname)
      onEnd()
    }
  }

  return {
    start() {
      const atMs = now().getTime()
      const due = [...domains.all()].filter((domain) => isDue(domain, atMs))
      due.sort((a, b) => a.nextCheckAt.getTime() - b.nextCheckAt.getTime())
      for (const domain of due.slice(0, Math.max(maxAttended - running.size, 0)))
        running.set(domain.hostname, see(domain))
    },
    isUnderWay: (hostname) => running.has(hostname),
    get count() {
      return running.size
    },
    idle: async () => void (await Promise.all(running.values())),
  }
}
