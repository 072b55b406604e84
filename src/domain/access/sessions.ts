import { randomBytes } from 'node:crypto'
import type { Secret } from '../../lib/secrets/secret.ts'
import type { SessionRecord, SessionStore } from '../../ports/access/session-store.ts'
import { ServiceError } from '../errors.ts'
import { type Actor, auditRecordOf } from './actor.ts'
import { ifAvailable, orUnavailable } from './or-unavailable.ts'
import { type OpenedTicket, openTicket, sealTicket, sessionKeys } from './session-cookie.ts'

/** How long a session lasts after it was last used; its cookie as well. */
export const sessionLifeSeconds = 7 * 86_400

/** Whoever signs in, before there is a session. */
export type Newcomer = Pick<Actor, 'ip' | 'userAgent' | 'requestId'>

export interface OpenedSession {
  readonly record: SessionRecord
  readonly cookie: string
}

export interface FoundSession {
  readonly id: string
  /** What the browser should send from now on, where that changes. */
  readonly newCookie: string | undefined
}

/** Operators who are signed in. */
export interface Sessions {
  /** `openedWith` says what let them in, e.g. `passkey:` and its id. */
  open(openedWith: string, newcomer: Newcomer): Promise<OpenedSession>
  /** The session of a cookie, where it is still good; takes down that it was used. */
  find(cookie: string): Promise<FoundSession | undefined>
  /** Answers what was ended; from then on its cookie opens nothing anywhere. */
  revoke(id: string, actor: Actor): Promise<SessionRecord>
  /** The one seen last comes first. */
  list(): Promise<readonly SessionRecord[]>
}

interface Dependencies {
  readonly store: SessionStore
  /** Those that are good, the newest first. */
  readonly secrets: readonly Secret[]
  /** Whether what let the operator in still would. */
  readonly isStillGood: (openedWith: string) => boolean
  readonly now: () => Date
  readonly newSessionId?: () => string
}

/** A cookie that was read somewhere is good for this long, and its use afterwards ends the session. */
const turnEveryMs = 3_600_000
/** Requests that were on their way when the cookie was replaced. */
const graceMs = 60_000
/** How exact the time of last use is. */
const noteEveryMs = 60_000

export function createSessions(dependencies: Dependencies): Sessions {
  const { store, now, isStillGood } = dependencies
  const { newSessionId = () => randomBytes(24).toString('base64url') } = dependencies
  const keys = sessionKeys(dependencies.secrets)
  const [newestKey = new Uint8Array()] = keys
  const seal = (id: string, turn: number) => sealTicket({ id, turn }, newestKey)
  const keeping: Keeping = { store, now, seal }

  return {
    async open(openedWith, newcomer) {
      const at = now()
      const record: SessionRecord = {
        id: newSessionId(),
        openedWith,
        turn: 0,
        turnedAt: at,
        createdAt: at,
        lastSeenAt: at,
        expiresAt: lifeFrom(at),
        ip: newcomer.ip,
        userAgent: newcomer.userAgent?.slice(0, 500),
      }
      await orUnavailable(store.forgetExpired(at))
      const actor = { ...newcomer, credentialId: sessionActorPrefix + record.id, zones: undefined }
      const meta = { method: methodOf(record) }
      const audit = auditRecordOf({ action: 'session.open', target: record.id, meta }, actor, at)
      await orUnavailable(store.add(record, audit))
      return { record, cookie: seal(record.id, 0) }
    },

    async find(cookie) {
      const ticket = openTicket(cookie, keys)
      const record = ticket && (await store.find(ticket.id))
      if (!ticket || !record || record.expiresAt <= now()) return undefined
      if (!isStillGood(record.openedWith) || ticket.turn > record.turn + 1) return undefined
      const isOnItsWay = now().getTime() - record.turnedAt.getTime() < graceMs
      const oldest = isOnItsWay ? record.turn - 1 : record.turn
      return ticket.turn < oldest
        ? await endCopied(record, keeping)
        : await use(record, ticket, keeping)
    },

    async revoke(id, actor) {
      const record = await store.find(id)
      const audit = auditRecordOf({ action: 'session.end', target: id, meta: {} }, actor, now())
      if (record === undefined || !(await orUnavailable(store.remove(id, audit))))
        throw new ServiceError('NotFound', 'There is no session with this id', { target: 'id' })
      return record
    },

    list: async () => (await store.list()).filter(({ expiresAt }) => expiresAt > now()),
  }
}

interface Keeping {
  readonly store: SessionStore
  readonly now: () => Date
  readonly seal: (id: string, turn: number) => string
}

/** The newest cookie was seen already: whoever still has an older one has a copy. */
async function endCopied(record: SessionRecord, { store, now }: Keeping): Promise<undefined> {
  const { id, ip, userAgent } = record
  const audit = {
    at: now(),
    action: 'session.copied',
    actor: `${sessionActorPrefix}${id}`,
    target: id,
    ip,
    userAgent,
    requestId: undefined,
    meta: {},
  }
  await orUnavailable(store.remove(id, audit))
  return undefined
}

async function use(
  record: SessionRecord,
  { turn, isOutdated }: OpenedTicket,
  { store, now, seal }: Keeping,
): Promise<FoundSession> {
  const { id } = record
  const at = now()
  const isConfirmed = turn > record.turn
  if (isConfirmed || at.getTime() - record.lastSeenAt.getTime() >= noteEveryMs)
    await ifAvailable(
      store.advance({
        id,
        turn: Math.max(turn, record.turn),
        turnedAt: isConfirmed ? at : record.turnedAt,
        lastSeenAt: at,
        expiresAt: lifeFrom(at),
      }),
    )
  const isDue = turn === record.turn && at.getTime() - record.turnedAt.getTime() >= turnEveryMs
  if (!isDue && !isOutdated) return { id, newCookie: undefined }
  return { id, newCookie: seal(id, isDue ? turn + 1 : turn) }
}

const lifeFrom = (at: Date): Date => new Date(at.getTime() + sessionLifeSeconds * 1000)

const sessionActorPrefix = 'session:'

/** How the operator signed in: `password`, `passkey` or `link`. */
export const methodOf = ({ openedWith }: Pick<SessionRecord, 'openedWith'>): string =>
  openedWith.slice(0, openedWith.indexOf(':'))
