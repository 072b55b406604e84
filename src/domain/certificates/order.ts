import type { Slots } from '../../lib/async/slots.ts'
import {
  AuthorityError,
  type CertificateAuthority,
} from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { Advance } from './transition.ts'
import type { CertificateSet } from './certificate-set.ts'
import type { ChallengeBoard } from './challenge-board.ts'
import { lookAgainAt, renewalOf } from './review.ts'
import { askAgainInMs } from './schedule.ts'

interface Dependencies {
  readonly advance: Advance
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
  const { advance, certificates, store, challenges, orders, now, random } = dependencies

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
    const waitMs = askAgainInMs(failures, { retryAfterMs, random: random() })
    const nextCheckAt = new Date(now().getTime() + waitMs)
    const happening = fault === 'refused' ? 'refused' : 'delayed'
    await advance(domain, happening, { sslError, nextCheckAt, failures })
  }

  return async (domain: DomainRecord, authority: CertificateAuthority): Promise<void> => {
    try {
      const issued = await issue(domain.hostname, authority)
      await store.put(issued)
      certificates.set(issued)
      await certificates.show()
      const nextCheckAt = lookAgainAt(await renewalOf(issued, authority), now())
      await advance(domain, 'issued', { nextCheckAt, failures: 0 })
    } catch (error) {
      await recordFault(domain, error)
    }
  }
}
