import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { hasZone, type StandingPerson } from '../actor.ts'

/** A genuine token, as the wire asks for it. */
export interface FoundToken {
  /** As it stands in logs: `token:` and the token's id. */
  readonly id: string
  readonly scopes: ReadonlySet<string>
  /** The tenants it is narrowed to; `undefined` for all. */
  readonly zones: ReadonlySet<string> | undefined
}

interface Known {
  record: TokenRecord
  readonly found: FoundToken
  readonly expiresAtMs: number
  /** When its use was last taken down. */
  notedAtMs: number
}

/** How exact the time of last use is: it is taken down at most so often. */
const noteEveryMs = 60_000

/** Knows somebody active; whoever is not opens nothing. */
export type FindStanding = (id: string) => StandingPerson | undefined

/** Every token in memory, so that a request is checked without asking the database. */
export class TokenIndex {
  readonly #findStanding: FindStanding
  readonly #bySecret = new Map<string, Known>()
  readonly #byId = new Map<string, Known>()
  /** Uses not written yet. */
  #used = new Map<string, Date>()

  constructor(findStanding: FindStanding) {
    this.#findStanding = findStanding
  }

  replaceAll(records: readonly TokenRecord[]): void {
    const notedById = new Map([...this.#byId].map(([id, { notedAtMs }]) => [id, notedAtMs]))
    this.#bySecret.clear()
    this.#byId.clear()
    for (const record of records) this.add(record, notedById.get(record.id))
  }

  add(record: TokenRecord, notedAtMs = 0): void {
    const { id, scopes, zones } = record
    const known: Known = {
      record,
      found: {
        id: `${tokenActorPrefix}${id}`,
        scopes: new Set(scopes),
        zones: zones && new Set(zones),
      },
      expiresAtMs: record.expiresAt.getTime(),
      notedAtMs: Math.max(notedAtMs, record.lastUsedAt?.getTime() ?? 0),
    }
    this.#bySecret.set(record.secretSha256, known)
    if (record.former) this.#bySecret.set(record.former.sha256, known)
    this.#byId.set(id, known)
  }

  remove(id: string): void {
    const known = this.#byId.get(id)
    if (known === undefined) return
    this.#byId.delete(id)
    const { secretSha256, former } = known.record
    this.#bySecret.delete(secretSha256)
    if (former) this.#bySecret.delete(former.sha256)
  }

  /** What the removal of a zone does to its tokens. */
  removeZone(zone: string): void {
    for (const { record, notedAtMs } of this.#byId.values()) {
      if (!record.zones?.includes(zone)) continue
      this.remove(record.id)
      const zones = record.zones.filter((each) => each !== zone)
      if (zones.length > 0) this.add({ ...record, zones }, notedAtMs)
    }
  }

  /** The token with this hash, unless it has expired; takes its use down. */
  use(secretSha256: string, now: Date): FoundToken | undefined {
    const known = this.#bySecret.get(secretSha256)
    const former = known?.record.former
    if (former?.sha256 === secretSha256 && former.until <= now) return undefined
    return this.#use(known, now)
  }

  /** The same of the token with this id. */
  useById(id: string, now: Date): FoundToken | undefined {
    return this.#use(this.#byId.get(id), now)
  }

  #use(known: Known | undefined, now: Date): FoundToken | undefined {
    const nowMs = now.getTime()
    if (known === undefined || known.expiresAtMs <= nowMs) return undefined
    const found = this.#within(known)
    if (found === undefined) return undefined
    if (nowMs - known.notedAtMs >= noteEveryMs) {
      known.notedAtMs = nowMs
      known.record = { ...known.record, lastUsedAt: now }
      this.#used.set(known.record.id, now)
    }
    return found
  }

  /** A person's token is good where the person holds all that it says, and nowhere else. */
  #within({ record, found }: Known): FoundToken | undefined {
    if (record.personId === undefined) return found
    const person = this.#findStanding(record.personId)
    if (person === undefined) return undefined
    const reaches = record.scopes.map((scope) => person.reach(scope))
    const bounds = reaches.filter((reach) => reach !== 'everywhere')
    const [first] = bounds
    if (first === undefined) return found
    const zones = [...(found.zones ?? first)].filter((zone) =>
      bounds.every((reach) => hasZone(reach, zone)),
    )
    return zones.length === 0 ? undefined : { ...found, zones: new Set(zones) }
  }

  find(id: string): TokenRecord | undefined {
    return this.#byId.get(id)?.record
  }

  /** The same as far as it is good now. */
  findGood(id: string, now: Date): TokenRecord | undefined {
    const known = this.#byId.get(id)
    if (known === undefined || known.record.expiresAt <= now) return undefined
    const found = this.#within(known)
    return found && { ...known.record, zones: found.zones && [...found.zones] }
  }

  all(): readonly TokenRecord[] {
    return [...this.#byId.values()].map(({ record }) => record)
  }

  /** The uses taken down since this was last asked. */
  takeUses(): ReadonlyMap<string, Date> {
    const uses = this.#used
    this.#used = new Map()
    return uses
  }
}

export const tokenActorPrefix = 'token:'
