import type { Deltas } from '../codings/deltas.ts'
import { deltaCoding, dictionaryOf, isDictionary } from '../codings/dictionaries.ts'
import { buildRepresentation, type Lifetimes } from '../response/build-representation.ts'
import type { Representation } from '../response/representation.ts'
import type { Route } from '../routing/decision.ts'
import type { Entry } from './entry.ts'

/** Clients have what stood there last, or the time before: so many kinds at once are of one that makes them up. */
const maxDeltas = 16
/** Of the dictionary, in the name of what is made with it. */
const namedDigits = 16

/** What a client lacks beside what it has kept, where that is known. Otherwise it is found out, for the next. */
export type EntryDelta = (entry: Entry, headers: Headers) => Representation | undefined

export const createEntryDelta =
  (deltas: Pick<Deltas, 'find' | 'want'>, lifetimes: Lifetimes): EntryDelta =>
  (entry, headers) => {
    const from = dictionaryOf(headers)
    const { route } = entry
    if (from === undefined || !entry.isCompressible || !isReplaceable(route)) return undefined
    const known = entry.deltas.get(from)
    if (known !== undefined) return known
    const { record } = route.located
    const delta = deltas.find(record, from)
    if (delta === undefined) deltas.want(record, from)
    if (delta === undefined || entry.deltas.size >= maxDeltas) return undefined
    const etag = `"${record.sha256}-${deltaCoding}-${from.slice(0, namedDigits)}"`
    const about = { ...delta, coding: deltaCoding, etag, isFile: false } as const
    const made = buildRepresentation(route, about, lifetimes)
    entry.deltas.set(from, made)
    return made
  }

/** Whether what stands at the URL is what stands at the path now, for everybody. */
export const isReplaceable = ({
  located: { record, pin, preview },
  dependsOnClient,
}: Route): boolean =>
  pin === undefined && preview === undefined && !dependsOnClient && isDictionary(record)
