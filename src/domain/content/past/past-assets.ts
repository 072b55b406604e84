import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, zoneOf } from '../asset-path.ts'
import { unerased } from '../erased-bytes.ts'
import { pastAssetRecord, type PastFiles } from './past-files.ts'
import { commitOfState, publishedZone, type ZoneStateSource } from './zone-states.ts'

/**
 * What commits had of a zone, for those who may read its files anyway: whether the zone opens its history
 * to others makes no difference, nor whether the file was private. What was erased is refused.
 */
export interface PastAssets {
  /** The asset as a commit has it; `commit` is its id, or the first digits of it. */
  at(path: AssetPath, commit: string, actor: Actor): Promise<AssetRecord>
}

interface Dependencies {
  readonly content: ZoneStateSource
  readonly files: Pick<PastFiles, 'at'>
  readonly published: Pick<Manifest, 'isErased' | 'zone'>
}

export const createPastAssets = ({ content, files, published }: Dependencies): PastAssets => ({
  async at(path, text, actor) {
    const name = zoneOf(path)
    requireZone(actor, name)
    const commit = await commitOfState(publishedZone(name, published), { commit: text }, content)
    const file = unerased(path, await files.at(commit.id, path), published)
    if (file === undefined)
      throw new ServiceError('AssetNotFound', `No asset at "${path}" in the commit ${text}`, {
        target: 'path',
      })
    return pastAssetRecord(file, commit)
  },
})
