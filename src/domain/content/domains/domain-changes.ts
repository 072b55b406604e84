import type { DomainNotice } from '../../../ports/domains/domain-store.ts'
import { type DomainRecord, keptChanges, type SslStatus } from '../../../ports/records/domain.ts'
import type { FeedEntry, NewFeedEntry } from '../../../ports/records/feed.ts'
import { type Actor, auditRecordOf } from '../../access/actor.ts'

/** What became of a certificate, as of a moment. */
export interface SslProgress {
  readonly at: Date
  readonly sslStatus: SslStatus
  readonly sslError: string | undefined
  readonly certificateExpiresAt: Date | undefined
  readonly nextCheckAt: Date
  readonly failures: number
}

/** `undefined` where the domain is gone, or has been taken by another zone meanwhile. */
export type Update = (
  domain: Pick<DomainRecord, 'zone' | 'hostname'>,
  change: (current: DomainRecord) => { readonly to: DomainRecord; readonly notice?: DomainNotice },
) => Promise<DomainRecord | undefined>

interface Deed {
  readonly action: 'domain.add' | 'domain.update'
  readonly actor: Actor
  /** As it was, where it was changed. */
  readonly former?: DomainRecord
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
  const meta = {
    from: sslStatus,
    to: to.sslStatus,
    error: to.sslError ?? null,
    before: certificateIn(current),
    after: certificateIn(to),
  }
  return { to, notice: notice(to, { action: 'domain.ssl', actor: keeper, meta }) }
}

const certificateIn = ({ sslStatus, sslError, certificateExpiresAt }: DomainRecord) => ({
  sslStatus,
  sslError: sslError ?? null,
  expires: certificateExpiresAt?.toISOString() ?? null,
})

/** What is told of a domain that was added or changed by `actor`. */
export const noticeOf = (domain: DomainRecord, { action, actor, former }: Deed): DomainNotice => {
  const { redirectsToHttps } = domain
  const change = former && {
    before: { redirectsToHttps: former.redirectsToHttps },
    after: { redirectsToHttps },
  }
  return notice(domain, { action, actor, meta: { redirectsToHttps, ...change } })
}

/** What is told of a claim whose record was found. */
export const noticeOfProof = (domain: DomainRecord): DomainNotice =>
  notice(domain, { action: 'domain.prove', actor: keeper })

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

/** A domain as it is added. */
export const newDomain = (
  zone: string,
  wanted: {
    readonly hostname: string
    readonly redirectsToHttps?: boolean | undefined
    readonly isProven: boolean
  },
  at: Date,
): DomainRecord => ({
  hostname: wanted.hostname,
  zone,
  sslStatus: 'provisioning',
  sslError: undefined,
  redirectsToHttps: wanted.redirectsToHttps ?? true,
  certificateExpiresAt: undefined,
  nextCheckAt: at,
  failures: 0,
  isProven: wanted.isProven,
  history: [],
  createdAt: at,
  updatedAt: at,
})

/** A removed zone takes its domains with it. */
export function forgetRemovedZones(
  entries: readonly FeedEntry[],
  domainsByHost: Map<string, DomainRecord>,
): void {
  for (const { event, zone } of entries) {
    if (event !== 'zone.deleted') continue
    for (const domain of domainsByHost.values())
      if (domain.zone === zone) domainsByHost.delete(domain.hostname)
  }
}
