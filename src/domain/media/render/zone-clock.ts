/** How much each zone has been served, so that one that asks for much does not crowd out the others. */
export interface ZoneClock {
  /** When work of the zone would begin if every zone had its own machine; comparable among zones. */
  startOf(zone: string): number
  charge(zone: string, ms: number): void
}

const maxZones = 10_000

/** Start-time fair queueing (Goyal et al. 1996): who was idle starts level with the others. */
export function createZoneClock(): ZoneClock {
  const finishByZone = new Map<string, number>()
  let virtualNow = 0
  const startOf = (zone: string) => Math.max(virtualNow, finishByZone.get(zone) ?? 0)
  return {
    startOf,
    charge(zone, ms) {
      const start = startOf(zone)
      virtualNow = start
      finishByZone.delete(zone)
      finishByZone.set(zone, start + ms)
      const [oldest] = finishByZone.keys()
      if (finishByZone.size > maxZones && oldest !== undefined) finishByZone.delete(oldest)
    },
  }
}
