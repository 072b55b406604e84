import type { Slots } from '../../lib/async/slots.ts'
import type { CertificateAuthority } from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore } from '../../ports/domains/certificate-store.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { NameResolver } from '../../ports/domains/name-resolver.ts'
import type { Domains } from '../content/domains/domains.ts'
import { createTransition } from './transition.ts'
import type { CertificateSet } from './certificate-set.ts'
import type { ChallengeBoard } from './challenge-board.ts'
import { checkName } from './check-name.ts'
import { createOrder } from './order.ts'
import { createReview } from './review.ts'
import { recheckInMs, settledEveryMs } from './schedule.ts'

export interface ReconcileDependencies {
  readonly domains: Pick<Domains, 'transition' | 'prove'>
  readonly certificates: CertificateSet
  readonly store: Pick<CertificateStore, 'put'>
  /** Absent: somebody in front of the service does TLS. */
  readonly authority: CertificateAuthority | undefined
  readonly resolver: NameResolver
  readonly cnameTarget: string | undefined
  readonly challenges: Pick<ChallengeBoard, 'publish'>
  readonly orders: Slots
  readonly now: () => Date
  readonly random: () => number
}

const withoutAuthority =
  'This service orders no certificates (ACME_DIRECTORY is not set): whatever its operator runs in front of it does TLS for this name.'

/** Does for a domain whatever is due, and records what came of it. Rejects where that cannot be recorded. */
export function createReconcile(dependencies: ReconcileDependencies) {
  const { authority, resolver, cnameTarget, now } = dependencies
  const transition = createTransition(dependencies)
  const review = createReview({ ...dependencies, transition })
  const order = createOrder({ ...dependencies, transition })

  /** `undefined` where the name does not lead here, or the domain is gone. */
  async function pointed(domain: DomainRecord): Promise<DomainRecord | undefined> {
    const { event, reason } = await checkName(domain.hostname, cnameTarget, resolver)
    const at = now()
    if (event !== 'pointed') {
      const ageMs = at.getTime() - domain.createdAt.getTime()
      const nextCheckAt = after(at, recheckInMs(ageMs))
      await transition(domain, event, { sslError: reason, nextCheckAt })
      return undefined
    }
    // What the authority found fault with stays until it has looked again.
    const wasMisdirected = domain.sslStatus === 'failed' && domain.failures === 0
    return wasMisdirected ? await transition(domain, 'pointed', { nextCheckAt: at }) : domain
  }

  /** `undefined` where nothing shows yet whose the name is, or the domain is gone. */
  async function proven(given: DomainRecord): Promise<DomainRecord | undefined> {
    const { domain, unproven } = await dependencies.domains.prove(given)
    if (domain === undefined || unproven === undefined) return domain
    const at = now()
    const nextCheckAt = after(at, recheckInMs(at.getTime() - domain.createdAt.getTime()))
    const event = unproven.isAbsent ? 'misdirected' : 'delayed'
    await transition(domain, event, { sslError: unproven.reason, nextCheckAt })
    return undefined
  }

  return async (given: DomainRecord): Promise<void> => {
    const ours = await proven(given)
    const needy = ours && (await review(ours))
    const domain = needy && (await pointed(needy))
    if (domain === undefined) return
    if (authority !== undefined) {
      await order(domain, authority)
      return
    }
    const nextCheckAt = after(now(), settledEveryMs)
    await transition(domain, 'pointed', { sslError: withoutAuthority, nextCheckAt })
  }
}

const after = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds)
