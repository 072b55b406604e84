import { randomBytes } from 'node:crypto'
import type { Secret } from '../../lib/secrets/secret.ts'
import type { SessionRecord, SessionStore } from '../../ports/access/session-store.ts'
import { ServiceError } from '../errors.ts'
import { type Actor, auditRecordOf, personActorPrefix, type StandingPerson } from './actor.ts'
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
  /** Whose it is; an operator's where left out. */
  readonly person?: StandingPerson | undefined
  /** What the browser should send from now on, where that changes. */
  readonly newCookie: string | undefined
}

/** What let somebody in, e.g. `passkey:` and its id; a person, or an operator where that is left out. */
export interface SessionOpening {
  readonly openedWith: string
  readonly personId?: string | undefined
}

/** Operators and people who are signed in. */
export interface Sessions {
  open(opening: SessionOpening, newcomer: Newcomer): Promise<OpenedSession>
  /** The session of a cookie, where it is still good; takes down that it was used. */
  find(cookie: string): Promise<FoundSession | undefined>
  /** Answers what was ended; from then on its cookie opens nothing anywhere. */
  revoke(id: string, actor: Actor): Promise<SessionRecord>
  /** The one seen last comes first. A person for less than all zones sees the person's own. */
  list(actor: Pick<Actor, 'zones' | 'personId'>): Promise<readonly SessionRecord[]>
}

interface Dependencies {
  readonly store: SessionStore
  /** Those that are good, the newest first. */
  readonly secrets: readonly Secret[]
  /** Whether what let them in still would. */
  readonly isStillGood: (session: SessionRecord) => boolean
  /** Somebody active; takes down that they are there. */
  readonly seePerson: (id: string) => StandingPerson | undefined
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
    async open({ openedWith, personId }, newcomer) {
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
        personId,
      }
      await orUnavailable(store.forgetExpired(at))
      const credentialId =
        personId === undefined ? sessionActorPrefix + record.id : personActorPrefix + personId
      const actor = { ...newcomer, credentialId, zones: undefined }
      const meta = { method: methodOf(record) }
      const audit = auditRecordOf({ action: 'session.open', target: record.id, meta }, actor, at)
      await orUnavailable(store.add(record, audit))
      return { record, cookie: seal(record.id, 0) }
    },

    async find(cookie) {
      const ticket = openTicket(cookie, keys)
      const record = ticket && (await store.find(ticket.id))
      if (!ticket || !record || record.expiresAt <= now()) return undefined
      if (!isStillGood(record) || ticket.turn > record.turn + 1) return undefined
      const person = personOf(record, dependencies)
      if (person === 'gone') return undefined
      const isOnItsWay = now().getTime() - record.turnedAt.getTime() < graceMs
      const oldest = isOnItsWay ? record.turn - 1 : record.turn
      if (ticket.turn < oldest) return await endCopied(record, keeping)
      return { ...(await use(record, ticket, keeping)), person }
    },

    async revoke(id, actor) {
      const found = await store.find(id)
      const record = found && isShownTo(found, actor) ? found : undefined
      const audit = auditRecordOf({ action: 'session.end', target: id, meta: {} }, actor, now())
      if (record === undefined || !(await orUnavailable(store.remove(id, audit))))
        throw new ServiceError('NotFound', 'There is no session with this id', { target: 'id' })
      return record
    },

    list: async (actor) =>
      (await store.list()).filter((record) => record.expiresAt > now() && isShownTo(record, actor)),
  }
}

/** `gone` where the person may not come in any more. */
function personOf(
  { personId }: SessionRecord,
  { seePerson }: Pick<Dependencies, 'seePerson'>,
): StandingPerson | 'gone' | undefined {
  return personId === undefined ? undefined : (seePerson(personId) ?? 'gone')
}

const isShownTo = (
  record: SessionRecord,
  { zones, personId }: Pick<Actor, 'zones' | 'personId'>,
): boolean => zones === undefined || (personId !== undefined && record.personId === personId)

interface Keeping {
  readonly store: SessionStore
  readonly now: () => Date
  readonly seal: (id: string, turn: number) => string
}

/** The newest cookie was seen already: whoever still has an older one has a copy. */
async function endCopied(record: SessionRecord, { store, now }: Keeping): Promise<undefined> {
  const { id, ip, userAgent, personId } = record
  const audit = {
    at: now(),
    action: 'session.copied',
    actor: personId === undefined ? `${sessionActorPrefix}${id}` : personActorPrefix + personId,
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

/** How they signed in: `password`, `passkey`, `link`, `invitation` or `oidc`. */
export const methodOf = ({ openedWith }: Pick<SessionRecord, 'openedWith'>): string =>
  openedWith.slice(0, openedWith.indexOf(':'))
