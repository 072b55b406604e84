import type { DomainRecord } from '../../ports/records/domain.ts'
import type { SslProgress } from '../content/domains/domain-changes.ts'
import type { Domains } from '../content/domains/domains.ts'
import type { CertificateSet } from './certificate-set.ts'
import { type Happening, nextStatus } from './ssl-status.ts'

interface Dependencies {
  readonly domains: Pick<Domains, 'advance'>
  readonly certificates: Pick<CertificateSet, 'get'>
  readonly now: () => Date
}

type Then = Pick<SslProgress, 'nextCheckAt'> & Partial<Pick<SslProgress, 'sslError' | 'failures'>>

/** Records what happened to a domain. `undefined` where the domain is gone. */
export type Advance = (
  domain: DomainRecord,
  happening: Happening,
  then: Then,
) => Promise<DomainRecord | undefined>

export const createAdvance =
  ({ domains, certificates, now }: Dependencies): Advance =>
  (domain, happening, { nextCheckAt, sslError, failures }) =>
    domains.advance(domain, {
      at: now(),
      sslStatus: nextStatus(domain.sslStatus, happening),
      sslError,
      certificateExpiresAt: certificates.get(domain.hostname)?.validUntil,
      nextCheckAt,
      failures: failures ?? domain.failures,
    })
