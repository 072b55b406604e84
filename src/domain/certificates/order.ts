import type { Slots } from '../../lib/async/slots.ts'
import {
  AuthorityError,
  type CertificateAuthority,
} from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { Transition } from './transition.ts'
import type { CertificateSet } from './certificate-set.ts'
import type { ChallengeBoard } from './challenge-board.ts'
import { recheckAt, renewalOf } from './review.ts'
import { retryInMs } from './schedule.ts'

interface Dependencies {
  readonly transition: Transition
  readonly certificates: CertificateSet
  readonly store: Pick<CertificateStore, 'put'>
  readonly challenges: Pick<ChallengeBoard, 'publish'>
  /** How many orders may be under way. */
  readonly orders: Slots
  readonly now: () => Date
  readonly random: () => number
}

/** Orders a certificate for a domain, keeps and shows it, and records what came of it. */
export function createOrder(dependencies: Dependencies) {
  const { transition, certificates, store, challenges, orders, now, random } = dependencies

  async function issue(
    hostname: string,
    authority: CertificateAuthority,
  ): Promise<StoredCertificate> {
    using _slot = await orders.take()
    return await authority.issue({
      hostname,
      replaces: certificates.get(hostname),
      publish: (token, keyAuthorization) => challenges.publish(token, keyAuthorization),
    })
  }

  /** A fault of the authority is recorded; any other is passed on. */
  async function recordFault(domain: DomainRecord, error: unknown): Promise<void> {
    if (!(error instanceof AuthorityError)) throw error
    const { fault, message: sslError, retryAfterMs = 0 } = error
    const failures = domain.failures + 1
    const waitMs = retryInMs(failures, { retryAfterMs, random: random() })
    const nextCheckAt = new Date(now().getTime() + waitMs)
    const event = fault === 'refused' ? 'refused' : 'delayed'
    await transition(domain, event, { sslError, nextCheckAt, failures })
  }

  return async (domain: DomainRecord, authority: CertificateAuthority): Promise<void> => {
    try {
      const issued = await issue(domain.hostname, authority)
      await store.put(issued)
      certificates.set(issued)
      await certificates.show()
      const nextCheckAt = recheckAt(await renewalOf(issued, authority), now())
      await transition(domain, 'issued', { nextCheckAt, failures: 0 })
    } catch (error) {
      await recordFault(domain, error)
    }
  }
}
