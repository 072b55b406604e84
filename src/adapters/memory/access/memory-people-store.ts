import type {
  PeopleStore,
  PersonOutcome,
  PersonRecord,
  PersonUpdate,
} from '../../../ports/access/people-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A PeopleStore for tests and demos. */
export class MemoryPeopleStore implements PeopleStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async version(): Promise<number> {
    return this.#database.peopleVersion
  }

  async list(): Promise<readonly PersonRecord[]> {
    return [...this.#database.personById.values()].toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byBytes(a.id, b.id),
    )
  }

  async add(person: PersonRecord, audit: AuditRecord): Promise<PersonOutcome> {
    return this.#put(person, [audit])
  }

  async update(person: PersonRecord, { audit, ends }: PersonUpdate): Promise<PersonOutcome> {
    const known = this.#database.personById.get(person.id)
    const outcome = this.#put({ ...person, lastSeenAt: known?.lastSeenAt }, audit)
    if (outcome !== 'done' || ends === 'nothing') return outcome
    this.#end(person.id, ends)
    return outcome
  }

  #end(personId: string, ends: 'sessions' | 'everything'): void {
    const { sessionById, passkeyById, tokenById } = this.#database
    const isTheirs = (record: { readonly personId?: string | undefined }) =>
      record.personId === personId
    for (const session of sessionById.values())
      if (isTheirs(session)) sessionById.delete(session.id)
    if (ends === 'sessions') return
    for (const passkey of passkeyById.values())
      if (isTheirs(passkey)) passkeyById.delete(passkey.id)
    for (const token of tokenById.values()) if (isTheirs(token)) tokenById.delete(token.id)
    this.#database.tokenVersion += 1
  }

  async noteSeen(lastSeenAtById: ReadonlyMap<string, Date>): Promise<void> {
    const { personById } = this.#database
    for (const [id, lastSeenAt] of lastSeenAtById) {
      const person = personById.get(id)
      if (person && (person.lastSeenAt ?? new Date(0)) < lastSeenAt)
        personById.set(id, { ...person, lastSeenAt })
    }
  }

  #put(person: PersonRecord, audit: readonly AuditRecord[]): PersonOutcome {
    const { personById, zoneByName } = this.#database
    const others = [...personById.values()].filter(({ id }) => id !== person.id)
    if (others.some((other) => isSame(other, person))) return 'taken'
    if (person.grants.some(({ zones = [] }) => zones.some((zone) => !zoneByName.has(zone))))
      return 'no such zone'
    personById.set(person.id, structuredClone(person))
    this.#database.peopleVersion += 1
    this.#database.announce([], audit)
    return 'done'
  }
}

const isSame = (one: PersonRecord, other: PersonRecord): boolean =>
  (one.email !== undefined && one.email === other.email) ||
  (one.identity !== undefined &&
    one.identity.issuer === other.identity?.issuer &&
    one.identity.subject === other.identity.subject)
