import type { ContentDigests } from '../../../domain/content/objects/content-digests.ts'
import type { FormerObjects } from '../../../domain/content/objects/former-objects.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { ObjectContent, ObjectVersion } from '../../../ports/records/object-version.ts'
import { findablePlace } from '../objects/object-key.ts'
import { entityTagsBy } from './listed-content.ts'

interface Sources {
  readonly digests: Pick<ContentDigests, 'of'>
  readonly former: Pick<FormerObjects, 'at'>
}

const readAtOnce = 4

/**
 * Entity tags of versions, in their order, with quotes. What the blob store has forgotten is brought back from
 * git once, so that its MD5 is known; where nobody has the bytes any more the SHA-256 stands for it.
 */
export const versionTagsBy =
  ({ digests, former }: Sources) =>
  async (versions: readonly ObjectVersion[]): Promise<readonly string[]> => {
    const contents = versions.flatMap(({ content }) => content ?? [])
    const all = await tagsOf(contents, digests)
    if (all !== undefined) return all
    return await mapConcurrently(versions, readAtOnce, async (version) => {
      const { path, commitId, content } = version
      if (content === undefined) return ''
      const [zone = '', , ...key] = path.split('/')
      const known = await tagsOf([content], digests)
      const place = known === undefined ? findablePlace(zone, key.join('/')) : undefined
      if (place !== undefined) await former.at(place, commitId)
      const [tag] = known ?? (await tagsOf([content], digests)) ?? []
      return tag ?? `"${content.sha256}"`
    })
  }

/** `undefined` where the bytes of one of them cannot be read. */
async function tagsOf(
  contents: readonly ObjectContent[],
  digests: Sources['digests'],
): Promise<readonly string[] | undefined> {
  try {
    return await entityTagsBy(digests)(contents)
  } catch (thrown) {
    if (asRefusal(thrown)?.code === 'Unavailable') return undefined
    throw thrown
  }
}
