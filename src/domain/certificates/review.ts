import { createHash } from 'node:crypto'

import {
  AuthorityError,
  type CertificateAuthority,
} from '../../ports/domains/certificate-authority.ts'
import type { StoredCertificate } from '../../ports/domains/certificate-store.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { Transition } from './transition.ts'
import type { CertificateSet } from './certificate-set.ts'
import { renewAt, settledEveryMs } from './schedule.ts'

interface Dependencies {
  readonly transition: Transition
  readonly certificates: Pick<CertificateSet, 'get'>
  readonly authority: CertificateAuthority | undefined
  readonly now: () => Date
}

/** Tells whether a domain needs another certificate. */
export interface Review {
  /** The domain where it does; `undefined` where there is nothing more to do. */
  (domain: DomainRecord): Promise<DomainRecord | undefined>
}

const certificateGone = 'The certificate is not there any more; another one is being ordered.'

export const createReview = ({ transition, certificates, authority, now }: Dependencies): Review =>
  async function review(domain) {
    const held = certificates.get(domain.hostname)
    const at = now()
    if (held === undefined || at >= held.validUntil) {
      if (domain.sslStatus !== 'active' && domain.sslStatus !== 'renewing') return domain
      const sslError = held === undefined ? certificateGone : undefined
      return await transition(domain, 'lapsed', { sslError, nextCheckAt: at })
    }
    const dueAt = await renewalOf(held, authority)
    if (at < dueAt) {
      await transition(domain, 'issued', { nextCheckAt: recheckAt(dueAt, at), failures: 0 })
      return undefined
    }
    if (domain.sslStatus === 'renewing') return domain
    return await transition(domain, 'due', { nextCheckAt: at })
  }

/** When a certificate is to be renewed; the same moment however often it is asked for. */
export async function renewalOf(
  held: StoredCertificate,
  authority: CertificateAuthority | undefined,
): Promise<Date> {
  const window = await authority?.renewalWindow(held).catch(ignoreAuthority)
  const validity = { from: held.validFrom, until: held.validUntil }
  return renewAt(validity, { window, random: shareOf(held.chain) })
}

/** Once a day in any case: an authority may change its mind about when to renew. */
export const recheckAt = (dueAt: Date, at: Date): Date =>
  new Date(Math.min(dueAt.getTime(), at.getTime() + settledEveryMs))

/** Without its suggestion the lifetime decides. */
function ignoreAuthority(error: unknown): undefined {
  if (!(error instanceof AuthorityError)) throw error
}

/** A number in [0, 1) that a certificate always has. */
const shareOf = (chain: string): number =>
  createHash('sha256').update(chain).digest().readUInt32BE() / 2 ** 32
