import type { Log } from '../../lib/log.ts'
import {
  AuthorityError,
  type CertificateAuthority,
} from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'
import { retryInMs } from './schedule.ts'

/** Has certificates revoked that nobody uses any more, and forgets them. */
export interface Revocations {
  add(certificate: StoredCertificate): void
  /** Those whose turn it is. */
  tick(): readonly Promise<void>[]
}

interface Dependencies {
  readonly store: Pick<CertificateStore, 'remove'>
  readonly authority: CertificateAuthority | undefined
  /** Whether another certificate of that host name is in use. */
  readonly isReplaced: (hostname: string) => boolean
  readonly now: () => Date
  readonly random: () => number
  readonly log: Pick<Log, 'warn'>
}

interface Waiting {
  readonly certificate: StoredCertificate
  readonly tries: number
  readonly at: Date
}

/** After so many tries, over about a day and a half, the certificate is left to expire. */
const maxTries = 15

export function createRevocations(dependencies: Dependencies): Revocations {
  const { store, authority, isReplaced, now, random, log } = dependencies
  const waiting = new Set<Waiting>()

  async function revoke({ certificate, tries }: Waiting): Promise<void> {
    const { hostname } = certificate
    try {
      await authority?.revoke(certificate)
    } catch (error) {
      if (!(error instanceof AuthorityError)) throw error
      if (error.fault !== 'refused' && tries + 1 < maxTries) {
        const { retryAfterMs = 0 } = error
        const waitMs = retryInMs(tries + 1, { retryAfterMs, random: random() })
        waiting.add({ certificate, tries: tries + 1, at: new Date(now().getTime() + waitMs) })
        return
      }
      log.warn('a certificate could not be revoked', { hostname, error })
    }
    if (!isReplaced(hostname)) await store.remove(hostname)
  }

  return {
    add: (certificate) => void waiting.add({ certificate, tries: 0, at: now() }),
    tick() {
      const due = [...waiting].filter(({ at }) => at <= now())
      for (const each of due) waiting.delete(each)
      return due.map(revoke)
    },
  }
}
