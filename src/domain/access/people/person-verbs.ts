import type { PersonRecord } from '../../../ports/access/people-store.ts'
import { ServiceError } from '../../errors.ts'
import type { Actor } from '../actor.ts'
import { grantsBeyond, mergedGrants } from './grants.ts'
import {
  createInvitationSecret,
  hashInvitationSecret,
  invitationLifeMs,
} from './invitation-secret.ts'
import type { PeopleBook } from './people-book.ts'
import {
  changedPerson,
  givenGrants,
  newPerson,
  type PersonChange,
  type PersonRequest,
  withRoles,
} from './person-changes.ts'

interface Dependencies {
  readonly now: () => Date
  readonly newId: () => string
}

export interface InvitedPerson {
  readonly person: PersonRecord
  /** What the link has; not to be had again. Absent where the person could come in already. */
  readonly secret: string | undefined
}

/** What who manages people does with them. */
export interface PersonVerbs {
  /** Somebody new gets a link; whoever is there already gets the roles. */
  invite(request: PersonRequest, actor: Actor): Promise<InvitedPerson>
  /** Another link, in place of the one before; also for who lost every passkey. */
  reinvite(id: string, actor: Actor): Promise<InvitedPerson>
  revokeInvitation(id: string, actor: Actor): Promise<PersonRecord>
  /** Other roles end a link that nobody has used yet: it was given for what it was. */
  update(id: string, change: PersonChange, actor: Actor): Promise<PersonRecord>
  /** Ends the person's sessions, passkeys and tokens, or just the roles in the actor's zones. */
  remove(id: string, actor: Actor): Promise<PersonRecord>
}

export function createPersonVerbs(book: PeopleBook, { now, newId }: Dependencies): PersonVerbs {
  return {
    async invite({ email, name, roles }, actor) {
      using _turn = await book.turns.acquire()
      const grants = givenGrants(roles, actor)
      const known = book.index.all().find((each) => each.email === email)
      if (known !== undefined) {
        const all = mergedGrants([...known.grants, ...grants])
        const person = await book.put(withRoles(known, all), stepOf('person.roles'), actor)
        return { person: book.shownTo(person, actor) ?? person, secret: undefined }
      }
      const secret = createInvitationSecret()
      const person = newPerson({ email, name, grants }, { id: newId(), at: now(), actor })
      return { person: await book.add(linked(person, secret, now()), actor), secret }
    },

    async reinvite(id, actor) {
      using _turn = await book.turns.acquire()
      const person = book.requireWhole(id, actor)
      if (person.state === 'disabled')
        throw new ServiceError('Forbidden', 'Who is disabled is not invited: enable them first')
      const secret = createInvitationSecret()
      return {
        person: await book.put(linked(person, secret, now()), stepOf('person.invite'), actor),
        secret,
      }
    },

    async revokeInvitation(id, actor) {
      using _turn = await book.turns.acquire()
      const person = { ...book.requireWhole(id, actor), invitation: undefined }
      return await book.put(person, stepOf('person.uninvite'), actor)
    },

    async update(id, change, actor) {
      using _turn = await book.turns.acquire()
      const isPersonal = change.name !== undefined || change.isDisabled !== undefined
      const shown = isPersonal ? book.requireWhole(id, actor) : book.require(id, actor)
      const changed = changedPerson(book.index.find(id) ?? shown, change, actor)
      const ends = changed.state === 'disabled' ? 'sessions' : 'nothing'
      await book.put(changed, { action: actionOf(change), ends }, actor)
      return book.shownTo(changed, actor) ?? shown
    },

    async remove(id, actor) {
      using _turn = await book.turns.acquire()
      const shown = book.require(id, actor)
      const person = book.index.find(id) ?? shown
      const rest = grantsBeyond(person.grants, actor)
      if (rest.length > 0)
        await book.put({ ...person, grants: rest }, stepOf('person.roles'), actor)
      else await book.put(removed(person), { action: 'person.remove', ends: 'everything' }, actor)
      return shown
    },
  }
}

const removed = (person: PersonRecord): PersonRecord => ({
  ...person,
  state: 'removed',
  email: undefined,
  identity: undefined,
  grants: [],
  invitation: undefined,
})

const linked = (person: PersonRecord, secret: string, now: Date): PersonRecord => ({
  ...person,
  invitation: {
    secretSha256: hashInvitationSecret(secret),
    expiresAt: new Date(now.getTime() + invitationLifeMs),
  },
})

const stepOf = (action: string) => ({ action, ends: 'nothing' }) as const

function actionOf({ roles, isDisabled }: PersonChange): string {
  if (isDisabled !== undefined) return isDisabled ? 'person.disable' : 'person.enable'
  return roles === undefined ? 'person.rename' : 'person.roles'
}
