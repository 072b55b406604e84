import type { PastStore } from '../../../ports/edges/past-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { isAssetPath, zoneOf } from '../../content/asset-path.ts'
import type { PinnedFiles } from '../../content/past/pin-source.ts'
import type { AssetRow } from '../manifest/record-rows.ts'
import { assetOrUndefined, rowOrNull } from './past-messages.ts'

/** What an edge was told of former commits, by the names they were asked for by. */
export interface KeptPast {
  files(commit: string, paths: readonly string[]): Kept<PinnedFiles>
  moment(zone: string, moment: Date): Kept<string>
}

/**
 * Of the zones as they are when this is made: what is told of them later may be told of others of their
 * names.
 */
interface Kept<T> {
  /** `undefined` where not all of it is known. */
  read(): Promise<T | undefined>
  keep(told: T): Promise<void>
}

interface Dependencies {
  readonly published: Pick<Manifest, 'zone'>
  readonly store: PastStore
}

interface KeptFile {
  readonly commit: string
  readonly asset: AssetRow | null
}

export function createKeptPast({ published, store }: Dependencies): KeptPast {
  /** `undefined` for what is of no zone. */
  const zoneOfPath = (path: string): ZoneRecord | undefined =>
    isAssetPath(path) ? published.zone(zoneOf(path)) : undefined

  return {
    files(name, paths) {
      const zones = paths.map(zoneOfPath)
      const keysAt = (commit: string): readonly (string | undefined)[] =>
        paths.map((path, index) => zones[index] && fileKey(zones[index], commit, path))
      return {
        async read() {
          const keys = keysAt(name)
          const texts = await store.read(keys.flatMap((key) => key ?? []))
          return readFiles(keys.map((key) => (key === undefined ? undefined : texts.get(key))))
        },
        async keep(told) {
          const texts = textsOf(told)
          const entries = [...new Set([name, told.commitId])].flatMap((commit) =>
            keysAt(commit).flatMap((key, index) => entryOf(key, texts[index])),
          )
          await store.keep(new Map(entries))
        },
      }
    },
    moment(zoneName, moment) {
      const zone = published.zone(zoneName)
      const key = zone && momentKey(zone, moment)
      return {
        read: async () => key && (await store.read([key])).get(key),
        async keep(commit) {
          if (key !== undefined) await store.keep(new Map([[key, commit]]))
        },
      }
    },
  }
}

function readFiles(texts: readonly (string | undefined)[]): PinnedFiles | undefined {
  const files = texts.flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as KeptFile)))
  const [first] = files
  if (first === undefined || files.length < texts.length) return undefined
  if (files.some(({ commit }) => commit !== first.commit)) return undefined
  return { commitId: first.commit, assets: files.map(({ asset }) => assetOrUndefined(asset)) }
}

/** That there is nothing is sure where the zone shows something else: then its history is open. */
function textsOf({ commitId, assets }: PinnedFiles): readonly (string | undefined)[] {
  const isOpen = assets.some((asset) => asset !== undefined)
  const textOf = (asset: AssetRecord | undefined): string =>
    JSON.stringify({ commit: commitId, asset: rowOrNull(asset) } satisfies KeptFile)
  return isOpen ? assets.map(textOf) : []
}

const entryOf = (
  key: string | undefined,
  text: string | undefined,
): readonly (readonly [string, string])[] =>
  key === undefined || text === undefined ? [] : [[key, text]]

/** A later zone of the name has nothing of it, nor the same zone once it has let go of something. */
const zoneKey = ({ name, createdAt, historySince }: ZoneRecord): string =>
  [name, createdAt.getTime(), ...(historySince ? [historySince.getTime()] : [])].join(' ')

const fileKey = (zone: ZoneRecord, commit: string, path: string): string =>
  `${zoneKey(zone)} ${commit} ${path}`

const momentKey = (zone: ZoneRecord, moment: Date): string =>
  `${zoneKey(zone)} at ${Math.floor(moment.getTime() / 1000)}`
