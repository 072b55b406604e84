import { minCommitDigits } from '../../../ports/content/past-commits.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, zoneOf } from '../asset-path.ts'
import { unerased } from '../erased-bytes.ts'
import type { Deliverable } from '../delivered/expiry.ts'
import { requireOpenZone } from '../delivered/delivered-assets.ts'
import type { Pins } from './pins.ts'

/** An asset, maybe as a commit has it. */
export interface NamedVersion {
  /** The id of the commit or its first digits; `undefined` for what is published. */
  readonly commit: string | undefined
  /** The rest of the text. */
  readonly text: string
}

/** What is to be delivered from: what is published, or what a commit has. */
export interface PinnedDelivery {
  /**
   * `paths` as the commit has them, and nothing else; where none is named, what is published. What is
   * suspended, expired or not open is refused as of now.
   */
  from(wanted: WantedDelivery): Promise<Deliverable>
}

export interface WantedDelivery {
  readonly commit: string | undefined
  /** Of one zone, the one that is asked for first. */
  readonly paths: readonly [AssetPath, ...string[]]
  /** Whether a signature opens what is not open to all. */
  readonly isSigned: boolean
  /** The IP address of whoever asks. */
  readonly address: string
}

interface Dependencies {
  readonly published: Deliverable
  readonly pins: Pick<Pins, 'known' | 'learn'>
  /** Counts as of now, whatever the commit has. */
  readonly erased: Pick<Manifest, 'isErased'>
}

export const createPinnedDelivery = ({
  published,
  pins,
  erased,
}: Dependencies): PinnedDelivery => ({
  async from({ commit, paths, isSigned, address }) {
    if (commit === undefined) return published
    const [path] = paths
    const name = zoneOf(path)
    requireOpenZone(published, name, path)
    const zone = published.zone(name)
    const isOpen = zone?.history === 'public' || (zone?.history === 'signed' && isSigned)
    if (zone === undefined || !isOpen) throw notThere(path, commit)
    await pins.learn({ zone, commit, paths }, address)
    if (pins.known(zone, commit, path) === 'ambiguous')
      throw invalid('commit', 'names several commits: write more digits of the one that is meant')
    return {
      ...published,
      asset(wanted) {
        const found = pins.known(zone, commit, wanted)
        if (found === undefined || found === null || found === 'ambiguous') return undefined
        return unerased(wanted, endingAsOfNow(found, shownAt(wanted, published)), erased)
      },
    }
  },
})

/** Whether what is shown now is erased says nothing of what was there before. */
function shownAt(path: string, published: Deliverable): AssetRecord | undefined {
  try {
    return published.asset(path)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Erased') return undefined
    throw error
  }
}

/** When a former version ends is for the present one to say. */
function endingAsOfNow(record: AssetRecord, shown: AssetRecord | undefined): AssetRecord {
  const expiresAt = shown?.metadata?.expiresAt
  return expiresAt === undefined
    ? record
    : { ...record, metadata: { ...record.metadata, expiresAt } }
}

/** Takes `@<commit>/` from the front of a path, or of the path of a URL. */
export function namedVersionIn(text: string): NamedVersion {
  const [, root = '/', commit, rest = ''] = versionPattern.exec(text) ?? []
  if (commit === undefined) return { commit: undefined, text }
  if (!commitPattern.test(commit))
    throw invalid('commit', `must be ${minCommitDigits} to 40 digits of lower-case hex`)
  return { commit, text: `${root}${rest}` }
}

/** How a version is named in paths. */
export const versionedPath = (commit: string | undefined, path: string): string =>
  commit === undefined ? path : `@${commit}/${path}`

const versionPattern = /^(https?:\/\/[^/?#]*\/|\/)?(?:@|%40)([^/?#]*)\/([^]*)$/u
const commitPattern = /^[0-9a-f]{7,40}$/u

const notThere = (path: string, commit: string) =>
  new ServiceError('AssetNotFound', `No asset at "${path}" in the commit ${commit}`)
