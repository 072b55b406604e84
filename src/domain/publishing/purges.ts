import type { AuditRecord } from '../../ports/records/audit.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { Actor } from '../access/actor.ts'
import { type Quota, refundAll, takeAll } from '../access/quotas/quota.ts'
import { ServiceError } from '../errors.ts'
import type { LocalFeed } from '../feed.ts'

/** What is to be forgotten by every edge; exactly one kind. */
export type PurgeTarget =
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  | { readonly kind: 'everything' }

export interface PurgeRequest {
  readonly target: PurgeTarget
  /** Marks as stale instead of forgetting. */
  readonly soft: boolean
}

export interface Purges {
  /**
   * When this resolves, this node serves nothing of what was purged; every other edge follows the feed.
   * Takes one of the day's purges; a refused purge takes none. Answers how many are left.
   */
  purge(request: PurgeRequest, actor: Actor): Promise<number>
  /** As `purge`, and forgets nothing: refuses what that would, and takes none of the day's purges. */
  check(request: PurgeRequest, actor: Actor): Promise<number>
}

interface Dependencies {
  readonly store: Pick<PublicationStore, 'publish'>
  readonly feed: LocalFeed
  readonly quota: Quota
  /** What a narrowed actor may purge of a zone. */
  readonly quotaOf: (zone: string) => Quota
  /** The same of a month; none where it is left out. */
  readonly monthlyOf?: (zone: string) => Quota
  readonly now: () => Date
}

export const createPurges = (dependencies: Dependencies): Purges => ({
  check({ target }, actor) {
    requireReach(target, actor)
    return remainingOf(quotasFor(target, actor, dependencies), actor)
  },
  async purge({ target, soft }, actor) {
    requireReach(target, actor)
    const { store, feed, now } = dependencies
    const quotas = quotasFor(target, actor, dependencies)
    const { remaining } = await takeAll(quotas, userOf(actor))
    const at = now()
    const data = { ...dataOf(target), soft }
    const entry = {
      at,
      event: 'purge.completed' as const,
      zone: undefined,
      path: undefined,
      commitId: undefined,
      data,
    }
    try {
      feed.announce(await store.publish([{ audit: [auditOf(target, actor, at)], feed: [entry] }]))
    } catch (cause) {
      await refundAll(quotas)
      throw new ServiceError('Unavailable', 'The purge could not be recorded', { cause })
    }
    return remaining
  },
})

/** What a purge counts against: for a narrowed actor first what each zone has. */
const quotasFor = (
  target: PurgeTarget,
  { zones }: Actor,
  { quota, quotaOf, monthlyOf }: Dependencies,
): readonly [Quota, ...Quota[]] => {
  const named = zones === undefined ? [] : zonesOf(target)
  const [first, ...rest] = named.flatMap((zone) => [
    quotaOf(zone),
    ...(monthlyOf === undefined ? [] : [monthlyOf(zone)]),
  ])
  return first === undefined ? [quota] : [first, ...rest, quota]
}

const userOf = ({ zones }: Actor) => ({ isOperator: zones === undefined })

async function remainingOf(quotas: readonly Quota[], actor: Actor): Promise<number> {
  const left = await Promise.all(quotas.map((each) => each.remaining(userOf(actor))))
  return Math.min(...left)
}

const dataOf = (target: PurgeTarget): Readonly<Record<string, unknown>> => {
  if (target.kind === 'urls') return { urls: target.urls }
  return target.kind === 'tags' ? { tags: target.tags } : { everything: true }
}

/** A token for some zones purges what is theirs: URLs below them, and the tags that name them. */
function requireReach(target: PurgeTarget, { zones }: Actor): void {
  if (zones === undefined) return
  const isTheirs =
    target.kind === 'urls'
      ? target.urls.every((url) => zones.has(zoneOfUrl(url) ?? ''))
      : target.kind === 'tags' && target.tags.every((tag) => zones.has(zoneOfTag(tag) ?? ''))
  if (!isTheirs)
    throw new ServiceError(
      'InsufficientScope',
      'This token covers some zones, and the purge goes beyond them',
    )
}

/** Those that a target names. */
function zonesOf(target: PurgeTarget): readonly string[] {
  if (target.kind === 'everything') return []
  const named = target.kind === 'urls' ? target.urls.map(zoneOfUrl) : target.tags.map(zoneOfTag)
  return [...new Set(named.flatMap((zone) => zone ?? []))]
}

/** As the edge will read the address, dot segments resolved. */
const zoneOfUrl = (url: string): string | undefined =>
  /^\/(?:clients\/)?([a-z0-9-]+)\/v1(?:\/|$)/u.exec(
    URL.parse(url, 'http://any.invalid')?.pathname ?? '',
  )?.[1]

const zoneOfTag = (tag: string): string | undefined => /^(?:zone|project)-(.+)$/u.exec(tag)?.[1]

function auditOf(target: PurgeTarget, actor: Actor, at: Date): AuditRecord {
  const { credentialId, ip, userAgent, requestId } = actor
  const meta = dataOf(target)
  return {
    at,
    action: 'purge',
    actor: credentialId,
    target: target.kind,
    ip,
    userAgent,
    requestId,
    meta,
  }
}
