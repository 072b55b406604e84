import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { TokenRecord, TokenStore } from '../../../ports/access/token-store.ts'
import { Mutex } from '../../../lib/async/mutex.ts'
import { requireUnsuspended } from '../suspended-zones.ts'
import { invalid, ServiceError, tooMany } from '../../errors.ts'
import { type Actor, auditRecordOf } from '../actor.ts'
import { ifAvailable, orUnavailable } from '../or-unavailable.ts'
import type { Scope } from './scopes.ts'
import { type FindStanding, type FoundToken, tokenActorPrefix, TokenIndex } from './token-index.ts'
import { refuseMore, refuseRotation, rotatedToken } from './token-limits.ts'
import { createTokenSecret, hashTokenSecret, isTokenSecret, tokenPrefix } from './token-secret.ts'

export interface TokenRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Every zone where left out. */
  readonly zones?: readonly string[] | undefined
  readonly expiresInDays: number
  /** Whether it is to sign requests of S3, too. */
  readonly isForS3?: boolean | undefined
}

export interface CreatedToken {
  readonly record: TokenRecord
  /** Not to be had again. */
  readonly secret: string
}

/** The bearer tokens, all of them in memory. */
export interface Tokens {
  /** The token with this secret, where there is one that is still good. Takes down that it was used. */
  find(secret: string): FoundToken | undefined
  /** The token with this id, where there is one that is still good. */
  byId(id: string): TokenRecord | undefined
  /** The same as `find`, where the token is known by another proof than its secret. */
  use(id: string): FoundToken | undefined
  /**
   * An actor that is a token itself can make none that opens more, or lives longer, than it does, and a
   * person none that opens more than the person's roles; it ends with the person.
   */
  create(request: TokenRequest, actor: Actor): Promise<CreatedToken>
  /**
   * Another secret for the same token; the one before is good for the overlap yet. A person's token is the
   * person's own to rotate.
   */
  rotate(id: string, overlapSeconds: number, actor: Actor): Promise<CreatedToken>
  /** Answers what was revoked; from then on it opens nothing here. */
  revoke(id: string, actor: Actor): Promise<TokenRecord>
  /** Those that reach nothing the actor does not, and a person's own; by time of creation. */
  list(actor: Pick<Actor, 'zones' | 'personId'>): readonly TokenRecord[]
  /** Writes down uses, and learns what other processes changed. To be called about once a second. */
  keepCurrent(): Promise<void>
}

interface Dependencies {
  readonly store: TokenStore
  readonly feed: Pick<Feed, 'subscribe'>
  /** Somebody active, who may have tokens. */
  readonly findStanding: FindStanding
  readonly published: Pick<Manifest, 'zone'>
  /** How many tokens may reach a zone for one of its own to make another. */
  readonly maxPerZone: (zone: string) => number
  readonly now: () => Date
  readonly newId: () => string
}

const dayMs = 86_400_000

/** Reads the table once; from then on a request is checked without asking the database. */
export async function openTokens(deps: Dependencies): Promise<Tokens> {
  const { store, now, newId } = deps
  const index = new TokenIndex(deps.findStanding)
  // Rereading and changing take turns, so that a reread never brings back what was just revoked.
  const turns = new Mutex()
  const reread = createReread(index, turns, deps)
  await reread()
  return {
    find: (secret) => useBySecret(secret, index, now()),
    byId: (id) => index.findGood(id, now()),
    use: (id) => index.useById(id, now()),

    async create(request, actor) {
      // In turn, so that a token that is being revoked makes no other on its way out.
      using _turn = await turns.acquire()
      const at = now()
      const maker = makerOf(actor, index)
      refuseMore(request, { maker, person: standingOf(actor, deps) })
      refuseInZones(request, actor, { index, ...deps })
      const secret = createTokenSecret()
      const record = recordOf(request, { id: newId(), secret, maker, actor, at })
      const audit = auditOf('token.create', record, { actor, at })
      if (!(await orUnavailable(store.add(record, audit)))) throw unknownZones()
      index.add(record)
      return { record, secret }
    },

    async rotate(id, overlapSeconds, actor) {
      using _turn = await turns.acquire()
      const record = index.find(id)
      if (record === undefined || !isWithin(record, actor)) throw tokenNotFound()
      const at = now()
      refuseRotation(record, actor, at)
      refuseMore(record, { maker: makerOf(actor, index), person: standingOf(actor, deps) })
      const secret = createTokenSecret()
      const rotated = rotatedToken(record, secret, new Date(at.getTime() + overlapSeconds * 1000))
      const audit = auditOf('token.rotate', rotated, { actor, at, changes: anotherSecret })
      if (!(await orUnavailable(store.rotate(id, rotated, audit)))) throw tokenNotFound()
      index.remove(id)
      index.add(rotated)
      return { record: rotated, secret }
    },

    async revoke(id, actor) {
      using _turn = await turns.acquire()
      const record = index.find(id)
      if (record === undefined || !isWithin(record, actor)) throw tokenNotFound()
      const audit = auditOf('token.revoke', record, { actor, at: now() })
      const isRemoved = await orUnavailable(store.remove(id, audit))
      index.remove(id)
      if (!isRemoved) throw tokenNotFound()
      return record
    },

    list: (actor) => index.all().filter((record) => isWithin(record, actor)),

    async keepCurrent() {
      await reread()
      const uses = index.takeUses()
      if (uses.size > 0) await ifAvailable(store.noteUse(uses))
    },
  }
}

function createReread(index: TokenIndex, turns: Mutex, { store, feed }: Dependencies) {
  let [version, removedZones] = [-1, 0]
  feed.subscribe((entries) => {
    for (const { event, zone } of entries) {
      if (event !== 'zone.deleted' || zone === undefined) continue
      removedZones += 1
      index.removeZone(zone)
    }
  })
  return async function reread(): Promise<void> {
    using _turn = await turns.acquire()
    for (;;) {
      const current = await store.version()
      if (current === version) return
      const removedBefore = removedZones
      const records = await store.list()
      // What was read may be from before a removal that the feed has told of since.
      if (removedBefore !== removedZones) continue
      index.replaceAll(records)
      version = current
    }
  }
}

const useBySecret = (secret: string, index: TokenIndex, now: Date): FoundToken | undefined =>
  isTokenSecret(secret) ? index.use(hashTokenSecret(secret), now) : undefined

/** The token that asks for another one; `undefined` where the actor is none. */
function makerOf({ credentialId }: Actor, index: TokenIndex): TokenRecord | undefined {
  if (!credentialId.startsWith(tokenActorPrefix)) return undefined
  const maker = index.find(credentialId.slice(tokenActorPrefix.length))
  if (maker === undefined) throw new ServiceError('Unauthorized', 'the token has been revoked')
  return maker
}

const standingOf = ({ personId }: Actor, { findStanding }: Pick<Dependencies, 'findStanding'>) =>
  personId === undefined ? undefined : findStanding(personId)

interface ZoneBounds extends Pick<Dependencies, 'published' | 'maxPerZone'> {
  readonly index: TokenIndex
}

/** What only a narrowed actor is held to: zones that are not suspended, and so many tokens for each. */
function refuseInZones(
  { zones = [] }: TokenRequest,
  actor: Actor,
  { index, published, maxPerZone }: ZoneBounds,
): void {
  if (actor.zones === undefined) return
  requireUnsuspended(zones, published)
  for (const zone of zones) {
    const limit = maxPerZone(zone)
    const count = index.all().filter((record) => record.zones?.includes(zone) === true).length
    if (count >= limit) throw tooMany('zones', `${count} tokens reach zone "${zone}"`, limit)
  }
}

interface Origin {
  readonly id: string
  readonly secret: string
  readonly maker: TokenRecord | undefined
  readonly actor: Actor
  readonly at: Date
}

function recordOf(request: TokenRequest, { id, secret, maker, actor, at }: Origin): TokenRecord {
  const expiresAt = new Date(at.getTime() + request.expiresInDays * dayMs)
  return {
    id,
    name: request.name,
    secretSha256: hashTokenSecret(secret),
    prefix: tokenPrefix(secret),
    scopes: [...new Set(request.scopes)],
    zones: request.zones && [...new Set(request.zones)].toSorted(),
    createdBy: actor.credentialId,
    createdAt: at,
    expiresAt: maker !== undefined && maker.expiresAt < expiresAt ? maker.expiresAt : expiresAt,
    lastUsedAt: undefined,
    isForS3: request.isForS3 === true,
    personId: maker?.personId ?? actor.personId,
  }
}

const isWithin = (
  { zones, personId }: TokenRecord,
  actor: Pick<Actor, 'zones' | 'personId'>,
): boolean =>
  actor.zones === undefined ||
  (personId !== undefined && personId === actor.personId) ||
  (zones?.every((zone) => actor.zones?.has(zone)) ?? false)

/** That it is another, and nothing of either. */
const anotherSecret = { before: { secret: 'hidden' }, after: { secret: 'changed' } }

function auditOf(
  action: string,
  { id, name, scopes, zones }: TokenRecord,
  { actor, at, changes }: { readonly actor: Actor; readonly at: Date; readonly changes?: object },
): AuditRecord {
  const meta = { name, scopes, ...(zones && { zones }), ...changes }
  return auditRecordOf({ action, target: id, meta }, actor, at)
}

const unknownZones = () => invalid('zones', 'must name zones that exist')

const tokenNotFound = () =>
  new ServiceError('NotFound', 'There is no token with this id', { target: 'id' })
