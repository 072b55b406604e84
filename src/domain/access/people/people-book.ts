import type {
  EndedWithPerson,
  PeopleStore,
  PersonRecord,
} from '../../../ports/access/people-store.ts'
import type { Feed } from '../../../ports/records/manifest.ts'
import { Mutex } from '../../../lib/async/mutex.ts'
import type { Actor } from '../actor.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { grantsBeyond, grantsWithin } from './grants.ts'
import { auditOfPerson, beyondReach, personNotFound, requireDone } from './person-changes.ts'
import { PersonIndex } from './person-index.ts'

/** What becomes of a person, as the audit log says it, and what ends with it. */
export interface PersonStep {
  readonly action: string
  readonly ends: EndedWithPerson
  readonly meta?: Readonly<Record<string, unknown>>
}

type Narrowing = Pick<Actor, 'zones'>

/** Everybody in memory, as the table has them. Who changes somebody holds the turn meanwhile. */
export interface PeopleBook {
  readonly index: PersonIndex
  readonly turns: Mutex
  /** As the actor sees the person; `undefined` where it is nobody of the actor's. */
  shownTo(person: PersonRecord, actor: Narrowing): PersonRecord | undefined
  /** The same of an id; refuses one that is nobody's. */
  require(id: string, actor: Narrowing): PersonRecord
  /** All that is known of the person; refuses where the person has roles beyond the actor's. */
  requireWhole(id: string, actor: Narrowing): PersonRecord
  add(person: PersonRecord, actor: Actor): Promise<PersonRecord>
  put(person: PersonRecord, step: PersonStep, actor: Actor): Promise<PersonRecord>
  reread(): Promise<void>
}

export interface PeopleBookDependencies {
  readonly store: PeopleStore
  readonly feed: Pick<Feed, 'subscribe'>
  readonly now: () => Date
}

export async function openPeopleBook(deps: PeopleBookDependencies): Promise<PeopleBook> {
  const { store, now } = deps
  const index = new PersonIndex()
  const turns = new Mutex()
  const reread = createReread(index, turns, deps)
  await reread()

  function requireShown(id: string, actor: Narrowing): PersonRecord {
    const found = index.find(id)
    const shown = found && shownTo(found, actor, index)
    if (shown === undefined) throw personNotFound()
    return shown
  }

  return {
    index,
    turns,
    reread,
    shownTo: (person, actor) => shownTo(person, actor, index),
    require: requireShown,

    requireWhole(id, actor) {
      const shown = requireShown(id, actor)
      const person = index.find(id) ?? shown
      if (grantsBeyond(person.grants, actor).length > 0) throw beyondReach()
      return person
    },

    async add(person, actor) {
      const deed = { action: 'person.invite', actor, at: person.createdAt }
      requireDone(await orUnavailable(store.add(person, auditOfPerson(person, deed))))
      index.put(person)
      return person
    },

    async put(person, { action, ends, meta }, actor) {
      const changes = changedMembers(index.find(person.id), person)
      const audit = auditOfPerson(person, {
        action,
        actor,
        at: now(),
        meta: { ...changes, ...meta },
      })
      requireDone(await orUnavailable(store.update(person, { audit: [audit], ends })))
      index.put(person)
      return person
    },
  }
}

/** What is another of a person, as it was and as it becomes. */
function changedMembers(former: PersonRecord | undefined, person: PersonRecord) {
  if (former === undefined) return {}
  const [before, after] = [auditedMembers(former), auditedMembers(person)]
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (values: typeof after) =>
    Object.fromEntries(names.map((name) => [name, values[name]]))
  return names.length === 0 ? {} : { before: pick(before), after: pick(after) }
}

const auditedMembers = ({ name, state, grants }: PersonRecord) => ({
  name,
  state,
  roles: grants.map(({ role, zones }) => ({ role, zones: zones ?? null })),
})

/** Rereading and changing take turns, so that a reread never brings back what was just taken away. */
function createReread(index: PersonIndex, turns: Mutex, { store, feed }: PeopleBookDependencies) {
  let [version, removedZones] = [-1, 0]
  feed.subscribe((entries) => {
    for (const { event, zone } of entries) {
      if (event !== 'zone.deleted' || zone === undefined) continue
      removedZones += 1
      index.removeZone(zone)
    }
  })
  return async () => {
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

/** As the actor sees the person; `undefined` where it is nobody of the actor's. */
function shownTo(
  person: PersonRecord,
  actor: Pick<Actor, 'zones'>,
  index: PersonIndex,
): PersonRecord | undefined {
  if (person.state === 'removed') return undefined
  const shown = { ...person, lastSeenAt: index.lastSeenAt(person.id) }
  if (actor.zones === undefined) return shown
  const grants = grantsWithin(person.grants, actor)
  return grants.length === 0 ? undefined : { ...shown, grants }
}
