import type { PersonRecord } from '../../../ports/access/people-store.ts'
import type { Actor, StandingPerson } from '../actor.ts'
import { ifAvailable } from '../or-unavailable.ts'
import { hashInvitationSecret } from './invitation-secret.ts'
import { openPeopleBook, type PeopleBookDependencies, type PersonStep } from './people-book.ts'
import { isInvitedBy, personNotFound } from './person-changes.ts'
import { createPersonVerbs, type PersonVerbs } from './person-verbs.ts'

/**
 * Those who may come in by their own name, all of them in memory. An actor for some zones sees and changes
 * what people may do in those alone, and nobody who may do nothing there.
 */
export interface People extends PersonVerbs {
  /** Somebody active. */
  standing(id: string): StandingPerson | undefined
  /** The same, and takes down that the person is there. */
  see(id: string): StandingPerson | undefined
  /** Whoever was there once, also where removed since. */
  known(id: string): PersonRecord | undefined
  /** Not those who were removed; by time of creation. */
  list(actor: Pick<Actor, 'zones'>): readonly PersonRecord[]
  find(id: string, actor: Pick<Actor, 'zones'>): PersonRecord
  /** Whom a link invites, while it is good. */
  invited(secret: string): PersonRecord | undefined
  /** Somebody at the identity provider, by identity or else by the e-mail address. */
  atProvider(
    identity: PersonRecord['identity'],
    email: string | undefined,
  ): PersonRecord | undefined
  /** Changes the newest state of somebody, in turn. */
  advance(step: PersonAdvance, actor: Actor): Promise<PersonRecord>
  add(person: Omit<PersonRecord, 'id' | 'createdAt'>, actor: Actor): Promise<PersonRecord>
  /** Writes down who was seen, and learns what other processes changed. To be called about once a second. */
  keepCurrent(): Promise<void>
}

export interface PersonAdvance extends PersonStep {
  readonly id: string
  readonly change: (person: PersonRecord) => PersonRecord
}

interface Dependencies extends PeopleBookDependencies {
  readonly newId: () => string
}

/** Reads the table once; from then on a request is checked without asking the database. */
export async function openPeople(deps: Dependencies): Promise<People> {
  const { store, now, newId } = deps
  const book = await openPeopleBook(deps)
  const { index, turns } = book

  return {
    ...createPersonVerbs(book, deps),
    standing: (id) => index.standing(id),
    see(id) {
      const standing = index.standing(id)
      if (standing !== undefined) index.see(id, now())
      return standing
    },
    known: (id) => index.find(id),
    find: (id, actor) => book.require(id, actor),
    list: (actor) => index.all().flatMap((person) => book.shownTo(person, actor) ?? []),

    invited(secret) {
      const secretSha256 = hashInvitationSecret(secret)
      return index.all().find((person) => isInvitedBy(person, secretSha256, now()))
    },

    atProvider(identity, email) {
      const bySubject = index.all().find((person) => isSameIdentity(person.identity, identity))
      const byEmail = (person: PersonRecord) => email !== undefined && person.email === email
      return bySubject ?? index.all().find(byEmail)
    },

    async advance({ id, change, ...step }, actor) {
      using _turn = await turns.acquire()
      const person = index.find(id)
      if (person === undefined || person.state === 'removed') throw personNotFound()
      return await book.put(change(person), step, actor)
    },

    async add(person, actor) {
      using _turn = await turns.acquire()
      return await book.add({ ...person, id: newId(), createdAt: now() }, actor)
    },

    async keepCurrent() {
      await book.reread()
      const seen = index.takeSeen()
      if (seen.size > 0) await ifAvailable(store.noteSeen(seen))
    },
  }
}

const isSameIdentity = (one: PersonRecord['identity'], other: PersonRecord['identity']): boolean =>
  one !== undefined && one.issuer === other?.issuer && one.subject === other.subject
