import type { PersonRecord, RoleGrant } from '../../../ports/access/people-store.ts'
import type { Reach, StandingPerson } from '../actor.ts'
import { reachOfGrants } from './grants.ts'

/** How exact the time is at which somebody was seen last. */
const noteEveryMs = 60_000

/** Everybody in memory, so that a request is checked without asking the database. */
export class PersonIndex {
  #byId = new Map<string, PersonRecord>()
  readonly #standing = new WeakMap<PersonRecord, StandingPerson>()
  #seen = new Map<string, Date>()

  replaceAll(records: readonly PersonRecord[]): void {
    this.#byId = new Map(records.map((record) => [record.id, record]))
  }

  put(record: PersonRecord): void {
    this.#byId.set(record.id, record)
  }

  find(id: string): PersonRecord | undefined {
    return this.#byId.get(id)
  }

  all(): readonly PersonRecord[] {
    return [...this.#byId.values()]
  }

  /** What the removal of a zone does to grants. */
  removeZone(zone: string): void {
    for (const record of this.#byId.values())
      if (record.grants.some(({ zones }) => zones?.includes(zone)))
        this.put({ ...record, grants: withoutZone(record.grants, zone) })
  }

  /** The person, where active. */
  standing(id: string): StandingPerson | undefined {
    const record = this.#byId.get(id)
    if (record?.state !== 'active') return undefined
    const known = this.#standing.get(record)
    if (known !== undefined) return known
    const reaches = new Map<string, Reach>()
    const standing: StandingPerson = {
      id,
      name: record.name,
      reach(scope) {
        const reach = reaches.get(scope) ?? reachOfGrants(record.grants, scope)
        reaches.set(scope, reach)
        return reach
      },
    }
    this.#standing.set(record, standing)
    return standing
  }

  /** Takes down that the person is there. */
  see(id: string, now: Date): void {
    const known = this.#seen.get(id) ?? this.#byId.get(id)?.lastSeenAt
    if (known === undefined || now.getTime() - known.getTime() >= noteEveryMs)
      this.#seen.set(id, now)
  }

  lastSeenAt(id: string): Date | undefined {
    return this.#seen.get(id) ?? this.#byId.get(id)?.lastSeenAt
  }

  /** What was taken down since this was last asked. */
  takeSeen(): ReadonlyMap<string, Date> {
    const seen = this.#seen
    this.#seen = new Map()
    for (const [id, lastSeenAt] of seen) {
      const record = this.#byId.get(id)
      if (record !== undefined) this.#byId.set(id, { ...record, lastSeenAt })
    }
    return seen
  }
}

const withoutZone = (grants: readonly RoleGrant[], zone: string): readonly RoleGrant[] =>
  grants.flatMap((grant) => {
    const zones = grant.zones?.filter((each) => each !== zone)
    return zones?.length === 0 ? [] : [{ ...grant, zones }]
  })
