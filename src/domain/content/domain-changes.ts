import {
  type DomainNotice,
  type DomainRecord,
  keptChanges,
  type SslStatus,
} from '../../ports/domain-store.ts'
import type { NewFeedEntry } from '../../ports/publication-store.ts'
import { type Actor, auditRecordOf } from '../access/actor.ts'

/** What became of a certificate, as of a moment. */
export interface SslProgress {
  readonly at: Date
  readonly sslStatus: SslStatus
  readonly sslError: string | undefined
  readonly certificateExpiresAt: Date | undefined
  readonly nextCheckAt: Date
  readonly failures: number
}

interface Deed {
  readonly action: 'domain.add' | 'domain.update'
  readonly actor: Actor
}

/** Whoever keeps certificates up to date, as the audit log names it. */
const keeper: Actor = {
  credentialId: 'certificates',
  zones: undefined,
  ip: 'internal',
  userAgent: undefined,
  requestId: 'internal',
}

/** The domain with that progress. There is nothing to tell where state and error stay what they are. */
export function withProgress(
  current: DomainRecord,
  { at, ...progress }: SslProgress,
): { readonly to: DomainRecord; readonly notice?: DomainNotice } {
  const { sslStatus, sslError, certificateExpiresAt, history } = current
  const isNews =
    sslStatus !== progress.sslStatus ||
    sslError !== progress.sslError ||
    certificateExpiresAt?.getTime() !== progress.certificateExpiresAt?.getTime()
  if (!isNews) return { to: { ...current, ...progress } }
  const former = { at: current.updatedAt, sslStatus, sslError }
  const to: DomainRecord = {
    ...current,
    ...progress,
    history: [...history, former].slice(-keptChanges),
    updatedAt: at,
  }
  const meta = { from: sslStatus, to: to.sslStatus, error: to.sslError ?? null }
  return { to, notice: notice(to, { action: 'domain.ssl', actor: keeper, meta }) }
}

/** What is told of a domain that was added or changed by `actor`. */
export const noticeOf = (domain: DomainRecord, { action, actor }: Deed): DomainNotice =>
  notice(domain, { action, actor, meta: { redirectsToHttps: domain.redirectsToHttps } })

export const noticeOfRemoval = (
  domain: DomainRecord,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): DomainNotice =>
  notice({ ...domain, updatedAt: at }, { action: 'domain.remove', actor, isRemoved: true })

interface Told {
  readonly action: string
  readonly actor: Actor
  readonly meta?: Readonly<Record<string, unknown>>
  readonly isRemoved?: boolean
}

function notice(domain: DomainRecord, { action, actor, meta, isRemoved }: Told): DomainNotice {
  const { zone, hostname, updatedAt: at } = domain
  return {
    audit: auditRecordOf({ action, target: hostname, meta: { zone, ...meta } }, actor, at),
    feed: domainEntry(domain, isRemoved === true),
  }
}

/** What the feed is told of a domain as it stands, or of its end. */
export const domainEntry = (
  { zone, hostname, sslStatus, sslError, updatedAt: at }: DomainRecord,
  removed: boolean,
): NewFeedEntry => ({
  at,
  event: 'domain.updated',
  zone,
  path: undefined,
  commitId: undefined,
  data: { zone, hostname, sslStatus, sslError: sslError ?? null, removed },
})
