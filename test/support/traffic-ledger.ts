/** One answer as its client saw it. */
export interface SeenResponse {
  readonly zone: string
  /** The asset's path, or the URL that was refused. */
  readonly path: string
  readonly isAsset: boolean
  readonly status: number
  readonly isHit: boolean
  readonly country: string
  /** Of the body, as they came over the connection. */
  readonly bytes: number
}

export interface Sums {
  requests: number
  bytes: number
  hits: number
  readonly countries: Map<string, number>
  readonly statuses: Map<number, number>
  readonly paths: Map<string, { requests: number; bytes: number }>
}

/** What clients know themselves of what was delivered to them. */
export class TrafficLedger {
  readonly all = emptySums()
  readonly #sumsByZone = new Map<string, Sums>()

  zone(name: string): Sums {
    const sums = this.#sumsByZone.get(name) ?? emptySums()
    this.#sumsByZone.set(name, sums)
    return sums
  }

  note(response: SeenResponse): void {
    for (const sums of [this.all, this.zone(response.zone)]) {
      sums.requests += 1
      sums.bytes += response.bytes
      if (response.isHit) sums.hits += 1
      sums.countries.set(response.country, (sums.countries.get(response.country) ?? 0) + 1)
      sums.statuses.set(response.status, (sums.statuses.get(response.status) ?? 0) + 1)
      if (!response.isAsset) continue
      const path = sums.paths.get(response.path) ?? { requests: 0, bytes: 0 }
      sums.paths.set(response.path, path)
      path.requests += 1
      path.bytes += response.bytes
    }
  }
}

const emptySums = (): Sums => ({
  requests: 0,
  bytes: 0,
  hits: 0,
  countries: new Map(),
  statuses: new Map(),
  paths: new Map(),
})
