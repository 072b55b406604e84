import type { DomainRecord } from '../../ports/records/domain.ts'
import type { SslProgress } from '../content/domains/domain-changes.ts'
import type { Domains } from '../content/domains/domains.ts'
import type { CertificateSet } from './certificate-set.ts'
import { type SslEvent, nextStatus } from './ssl-status.ts'

interface Dependencies {
  readonly domains: Pick<Domains, 'transition'>
  readonly certificates: Pick<CertificateSet, 'get'>
  readonly now: () => Date
}

type Then = Pick<SslProgress, 'nextCheckAt'> & Partial<Pick<SslProgress, 'sslError' | 'failures'>>

/** Records what happened to a domain. `undefined` where the domain is gone. */
export type Transition = (
  domain: DomainRecord,
  event: SslEvent,
  then: Then,
) => Promise<DomainRecord | undefined>

export const createTransition =
  ({ domains, certificates, now }: Dependencies): Transition =>
  (domain, event, { nextCheckAt, sslError, failures }) =>
    domains.transition(domain, {
      at: now(),
      sslStatus: nextStatus(domain.sslStatus, event),
      sslError,
      certificateExpiresAt: certificates.get(domain.hostname)?.validUntil,
      nextCheckAt,
      failures: failures ?? domain.failures,
    })
