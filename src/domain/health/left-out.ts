import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { faultOfFields } from '../content/metadata/field-schema.ts'

/** What git brought and is left out: how much of it there is, and not whose. */
export interface Warning {
  readonly name: 'metadata' | 'fields'
  readonly count: number
}

export interface LeftOut extends Disposable {
  /** Nothing where nothing is left out. */
  warnings(): readonly Warning[]
}

interface Dependencies {
  readonly feed: Pick<Feed, 'subscribe'>
  readonly published: Pick<Manifest, 'asset'> & { zones(): readonly ZoneRecord[] }
  readonly all: () => Iterable<AssetRecord>
}

/** Counts as the feed tells of changes, so that whoever asks waits for no look at every asset. */
export function watchLeftOut({ feed, published, all }: Dependencies): LeftOut {
  const faulty = new Set<string>()
  for (const { path, metadata } of all()) if (metadata?.fault !== undefined) faulty.add(path)
  let faultyZones: number | undefined

  const subscription = feed.subscribe((entries) => {
    for (const { event, path } of entries) {
      if (event.startsWith('zone.')) faultyZones = undefined
      if (path === undefined) continue
      if (published.asset(path)?.metadata?.fault === undefined) faulty.delete(path)
      else faulty.add(path)
    }
  })

  const countZones = (): number =>
    published
      .zones()
      .filter(({ fields }) => fields !== undefined && faultOfFields(fields) !== undefined).length

  return {
    warnings() {
      faultyZones ??= countZones()
      const warnings: readonly Warning[] = [
        { name: 'metadata', count: faulty.size },
        { name: 'fields', count: faultyZones },
      ]
      return warnings.filter(({ count }) => count > 0)
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}
