import type { BeaconRow } from '../../ports/traffic/traffic-store.ts'

/** Adds up what clients report of themselves, until it is taken away. */
export interface BeaconCounter {
  count(beacon: Omit<BeaconRow, 'requests'>): void
  take(): readonly BeaconRow[]
}

/** Anyone may send beacons: where there is no more room their paths and countries are not told apart. */
const maxRows = 500

export function createBeaconCounter(): BeaconCounter {
  let rowByKey = new Map<string, BeaconRow>()
  return {
    count(beacon) {
      const isKnown = rowByKey.has(keyOf(beacon))
      const hasRoom = isKnown || rowByKey.size < maxRows
      const kept = hasRoom ? beacon : { ...beacon, path: '', country: 'XX' }
      const { requests = 0, bytes = 0 } = rowByKey.get(keyOf(kept)) ?? {}
      rowByKey.set(keyOf(kept), { ...kept, requests: requests + 1, bytes: bytes + kept.bytes })
    },
    take() {
      const rows = [...rowByKey.values()]
      rowByKey = new Map()
      return rows
    },
  }
}

const keyOf = ({ path, country, isHit }: Omit<BeaconRow, 'requests'>): string =>
  `${country}\n${isHit}\n${path}`
