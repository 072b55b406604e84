import type { EdgeRecord, EdgeStore } from '../../../ports/edges/edge-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'
import type {
  FeedPosition,
  HostRecord,
  ReplicaContents,
  ReplicaStep,
  ReplicaStore,
} from '../../../ports/edges/replica-store.ts'
import type { SpooledFlush, TrafficSpool } from '../../../ports/traffic/traffic-spool.ts'
import type { TrafficFlush } from '../../../ports/traffic/traffic-store.ts'
import { byBytes } from '../content/memory-database.ts'

/** An EdgeStore for tests and demos. */
export class MemoryEdgeStore implements EdgeStore {
  readonly #edgeByName = new Map<string, EdgeRecord>()

  async save(edges: readonly EdgeRecord[]): Promise<void> {
    for (const edge of edges) this.#edgeByName.set(edge.name, edge)
  }

  async list(): Promise<readonly EdgeRecord[]> {
    return [...this.#edgeByName.values()].toSorted((a, b) => byBytes(a.name, b.name))
  }

  async forget(name: string): Promise<void> {
    this.#edgeByName.delete(name)
  }
}

/** A ReplicaStore for tests and demos. */
export class MemoryReplicaStore implements ReplicaStore {
  readonly #assetByPath = new Map<string, AssetRecord>()
  readonly #zoneByName = new Map<string, ZoneRecord>()
  readonly #ruleFileByName = new Map<string, RuleFileRecord>()
  readonly #hostByName = new Map<string, HostRecord>()
  readonly #previewByKey = new Map<string, PreviewRecord>()
  readonly #erased = new Set<string>()
  #position: FeedPosition | undefined

  async load(): Promise<ReplicaContents | undefined> {
    if (this.#position === undefined) return undefined
    const assets = [...this.#assetByPath.values()].toSorted((a, b) => byBytes(a.path, b.path))
    return {
      position: this.#position,
      zones: [...this.#zoneByName.values()].toSorted((a, b) => byBytes(a.name, b.name)),
      ruleFiles: [...this.#ruleFileByName.values()],
      hosts: [...this.#hostByName.values()],
      previews: [...this.#previewByKey.values()],
      erased: [...this.#erased].toSorted(byBytes),
      assets: one(assets),
    }
  }

  async apply(steps: readonly ReplicaStep[]): Promise<void> {
    for (const step of steps) {
      this.#publish(step.publication)
      this.#applyBeside(step)
      this.#position = step.to
    }
  }

  #applyBeside({ hosts, previews }: ReplicaStep): void {
    for (const host of hosts)
      if (host.zone === undefined) this.#hostByName.delete(host.hostname)
      else this.#hostByName.set(host.hostname, host)
    for (const { zone, name, preview } of previews)
      if (preview === undefined) this.#previewByKey.delete(`${zone}/${name}`)
      else this.#previewByKey.set(`${zone}/${name}`, preview)
  }

  #publish(publication: ReplicaStep['publication']): void {
    for (const name of publication.removedZones) this.#removeZone(name)
    for (const zone of publication.zones) this.#zoneByName.set(zone.name, zone)
    for (const path of publication.removedAssets) this.#assetByPath.delete(path)
    for (const asset of publication.assets) this.#assetByPath.set(asset.path, asset)
    for (const file of publication.ruleFiles) this.#ruleFileByName.set(file.name, file)
    for (const name of publication.removedRuleFiles) this.#ruleFileByName.delete(name)
    for (const name of publication.erased) this.#erased.add(name)
  }

  #removeZone(name: string): void {
    this.#zoneByName.delete(name)
    for (const { path, zone } of this.#assetByPath.values())
      if (zone === name) this.#assetByPath.delete(path)
    for (const [hostname, { zone }] of this.#hostByName)
      if (zone === name) this.#hostByName.delete(hostname)
    for (const [key, { zone }] of this.#previewByKey)
      if (zone === name) this.#previewByKey.delete(key)
  }
}

async function* one<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}

/** A TrafficSpool for tests and demos. */
export class MemoryTrafficSpool implements TrafficSpool {
  readonly #maxFlushes: number
  #spooled: readonly SpooledFlush[] = []
  #place = 0

  constructor({ maxFlushes }: { readonly maxFlushes: number }) {
    this.#maxFlushes = maxFlushes
  }

  async add(flush: TrafficFlush): Promise<boolean> {
    if (this.#spooled.length >= this.#maxFlushes) return false
    this.#place += 1
    this.#spooled = [...this.#spooled, { place: this.#place, flush }]
    return true
  }

  async oldest(limit: number): Promise<readonly SpooledFlush[]> {
    return this.#spooled.slice(0, limit)
  }

  async removeTo(place: number): Promise<void> {
    this.#spooled = this.#spooled.filter((each) => each.place > place)
  }
}
