import type { PinSource } from '../../domain/content/past/pin-source.ts'
import type { Found, Pins } from '../../domain/content/past/pins.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { Query } from '../../server/workers/worker-queries.ts'

/** What a worker wants to know of former commits, for whoever comes from an IP address. */
type PastQuery = { readonly zone: string; readonly address: string } & (
  { readonly commit: string; readonly paths: readonly string[] } | { readonly moment: Date }
)

interface Dependencies {
  readonly pins: Pins
  readonly published: Pick<Manifest, 'zone'>
  /** Brings the bytes to where workers read them. */
  readonly bytes?: Pick<BlobStore, 'open'>
}

/**
 * The main process's end: what it knows, and else what it looks up, by the bounds of whoever asks. What is
 * known of several paths is that of one zone.
 */
export const createPastResponder =
  ({ pins, published, bytes }: Dependencies) =>
  async (query: unknown): Promise<readonly Found<AssetRecord | string>[]> => {
    const { address, ...wanted } = query as PastQuery
    const zone = published.zone(wanted.zone)
    if (zone === undefined) throw notKnown()
    if ('moment' in wanted) {
      const { moment } = wanted
      if (pins.knownMoment(zone, moment) === undefined)
        await pins.learnMoment({ zone, moment }, address)
      return [pins.knownMoment(zone, moment) ?? null]
    }
    const { commit, paths } = wanted
    await pins.learn({ zone, commit, paths }, address)
    const found = paths.map((path) => pins.known(zone, commit, path))
    for (const asset of found)
      if (typeof asset === 'object' && asset !== null) await bytes?.open(asset.sha256)
    return found.map((asset) => {
      if (asset === undefined) throw notKnown()
      return asset
    })
  }

/** The worker's end. */
export const pastOfMain = (query: Query): PinSource => ({
  async assets(commit, paths, address = 'unknown') {
    const [path = ''] = paths
    const zone = path.slice(0, path.indexOf('/'))
    const wanted: PastQuery = { zone, commit, paths, address }
    const found = (await query(wanted)) as readonly Found<AssetRecord>[]
    if (found.includes('ambiguous')) return 'ambiguous'
    const assets = found.map((asset) => (asset === 'ambiguous' ? undefined : (asset ?? undefined)))
    // Which of the two has nothing, the commit or the path, is not said: that soon is to be asked again.
    return assets.every((asset) => asset === undefined) ? undefined : { commitId: commit, assets }
  },
  async commitAt(zone, moment, address = 'unknown') {
    const wanted: PastQuery = { zone, moment, address }
    const [commit] = (await query(wanted)) as readonly Found<string>[]
    return commit ?? undefined
  },
})

const notKnown = () => new ServiceError('Unavailable', 'That is forgotten again')
