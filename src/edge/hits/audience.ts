import { bucketOf } from '../../lib/collections/duration-histogram.ts'
import {
  type AudienceRow,
  type NamedTraffic,
  otherName,
} from '../../ports/traffic/traffic-store.ts'
import { agentFamily } from './agent-family.ts'
import { referrerName } from './referrer-name.ts'

/** One answer. */
export interface DeliveredHit {
  readonly zone: string
  readonly request: Pick<Request, 'headers'>
  readonly bytes: number
  readonly milliseconds: number
}

/** Counts exactly, until someone takes the counts away. Names that find no room count as `(other)`. */
export interface Audience {
  note(delivered: DeliveredHit): void
  /** Bytes of an answer that was noted, as they are sent. */
  addBytes(delivered: Omit<DeliveredHit, 'milliseconds'>): void
  /** Counts what the service's own pages asked for, of which nothing else is noted. */
  noteOwn(zone: string): void
  /** Adds what another process counted. */
  add(rows: readonly AudienceRow[]): void
  /** The rows since the last call. */
  take(): readonly AudienceRow[]
}

/** Referrers of a zone that are told apart until they are taken away. */
const maxReferrers = 1_000

interface Cell {
  requests: number
  bytes: number
}

interface Counts {
  readonly latencies: Map<number, number>
  readonly referrers: Map<string, Cell>
  readonly agents: Map<string, Cell>
  ownRequests: number
}

export function createAudience(): Audience {
  const referrerOf = remembering(referrerName)
  const agentOf = remembering(agentFamily)
  let countsByZone = new Map<string, Counts>()

  function countsOf(zone: string): Counts {
    const known = countsByZone.get(zone)
    if (known !== undefined) return known
    const counts = {
      latencies: new Map(),
      referrers: new Map(),
      agents: new Map(),
      ownRequests: 0,
    }
    countsByZone.set(zone, counts)
    return counts
  }

  function count({ zone, request: { headers } }: Omit<DeliveredHit, 'milliseconds'>, cell: Cell) {
    const counts = countsOf(zone)
    addTo(counts.referrers, referrerOf(headers.get('referer')), cell)
    addTo(counts.agents, agentOf(headers.get('user-agent')), cell)
    return counts
  }

  return {
    note(delivered) {
      const { latencies } = count(delivered, { requests: 1, bytes: delivered.bytes })
      const bucket = bucketOf(delivered.milliseconds)
      latencies.set(bucket, (latencies.get(bucket) ?? 0) + 1)
    },
    addBytes(delivered) {
      count(delivered, { requests: 0, bytes: delivered.bytes })
    },
    noteOwn(zone) {
      countsOf(zone).ownRequests += 1
    },
    add(rows) {
      for (const row of rows) {
        const counts = countsOf(row.zone)
        const { latencies, referrers, agents } = counts
        counts.ownRequests += row.ownRequests ?? 0
        for (const [bucket, requests] of row.latencies)
          latencies.set(bucket, (latencies.get(bucket) ?? 0) + requests)
        for (const { name, ...cell } of row.referrers) addTo(referrers, name, cell)
        for (const { name, ...cell } of row.agents) addTo(agents, name, cell)
      }
    },
    take() {
      const taken = [...countsByZone]
      countsByZone = new Map()
      return taken.map(([zone, counts]) => ({
        zone,
        latencies: [...counts.latencies],
        referrers: namedOf(counts.referrers),
        agents: namedOf(counts.agents),
        ...(counts.ownRequests > 0 && { ownRequests: counts.ownRequests }),
      }))
    },
  }
}

/** There are few families of agents, so only referrers ever find no room. */
function addTo(cells: Map<string, Cell>, name: string, { requests, bytes }: Cell): void {
  const kept = cells.has(name) || cells.size < maxReferrers ? name : otherName
  const cell = cells.get(kept)
  if (cell === undefined) cells.set(kept, { requests, bytes })
  else {
    cell.requests += requests
    cell.bytes += bytes
  }
}

const namedOf = (cells: ReadonlyMap<string, Cell>): readonly NamedTraffic[] =>
  [...cells].map(([name, cell]) => ({ name, ...cell }))

const maxRemembered = 2_000
const maxRememberedLength = 400

/** The few that nearly all requests send are read once. */
function remembering(read: (text: string | null) => string) {
  const nameByText = new Map<string, string>()
  return (text: string | null): string => {
    const known = text === null ? undefined : nameByText.get(text)
    if (known !== undefined) return known
    const name = read(text)
    if (text === null || text.length > maxRememberedLength) return name
    if (nameByText.size >= maxRemembered) nameByText.clear()
    nameByText.set(text, name)
    return name
  }
}
