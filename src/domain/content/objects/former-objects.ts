import type { ContentStore } from '../../../ports/content/content-store.ts'
import type { ObjectVersions } from '../../../ports/content/object-versions.ts'
import type { ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import type { ObjectContent } from '../../../ports/records/object-version.ts'
import { readSidecar } from '../metadata/stored-sidecar.ts'
import type { PastFiles } from '../past/past-files.ts'
import { markerMetadata } from './directory-markers.ts'
import { type ObjectPlace, pathOfPlace } from './object-place.ts'

/** What a commit made of an object: it put bytes there, or took them away. */
export type FormerObject =
  | {
      readonly kind: 'content'
      readonly content: ObjectContent
      readonly committedAt: Date
      /** What was said of the bytes then. */
      readonly object: ObjectMetadata | undefined
    }
  | { readonly kind: 'deletion'; readonly commitId: string; readonly committedAt: Date }

/** Objects as commits left them. */
export interface FormerObjects {
  /** `undefined` where the commit did nothing to it. Its bytes can be opened afterwards. */
  at(place: ObjectPlace, commitId: string): Promise<FormerObject | undefined>
  /** Whether what is not there was taken away, and by which commit. */
  deletionOf(place: ObjectPlace): Promise<string | undefined>
}

interface Dependencies {
  readonly versions: Pick<ObjectVersions, 'find' | 'newest'>
  readonly content: Pick<ContentStore, 'at'>
  readonly pastFiles: Pick<PastFiles, 'at'>
}

export const createFormerObjects = ({
  versions,
  content: store,
  pastFiles,
}: Dependencies): FormerObjects => ({
  async at(place, commitId) {
    const version = await versions.find(pathOfPlace(place), commitId)
    if (version === undefined) return undefined
    const { content, committedAt } = version
    if (content === undefined) return { kind: 'deletion', commitId, committedAt }
    if (place.kind === 'marker') {
      const then = await store.at(commitId)
      const object = then && (await markerMetadata(then, place))
      return { kind: 'content', content, committedAt, object }
    }
    // From then on its bytes are brought back from the repository where the blob store has forgotten them.
    await pastFiles.at(commitId, place.path)
    const tree = await store.at(commitId)
    const { object } = tree === undefined ? {} : (await readSidecar(tree, place.path)).metadata
    const said = object?.sha256 === content.sha256 ? object : undefined
    return { kind: 'content', content, committedAt, object: said }
  },
  async deletionOf(place) {
    const newest = await versions.newest(pathOfPlace(place))
    return newest !== undefined && newest.content === undefined ? newest.commitId : undefined
  },
})
