import { createAssetHistory } from '../../domain/content/files/asset-history.ts'
import { createDeletedFiles } from '../../domain/content/files/deleted-files.ts'
import { createFileEdits } from '../../domain/content/files/file-edits.ts'
import { createFormerNames } from '../../domain/content/files/former-names.ts'
import { createRestorations } from '../../domain/content/files/restorations.ts'
import { createRestoredVersions } from '../../domain/content/files/restored-versions.ts'
import { createDescriptions } from '../../domain/content/metadata/descriptions.ts'
import { createCommitReversals } from '../../domain/content/past/commit-reversals.ts'
import { createPurges } from '../../domain/publishing/purges.ts'
import type { Limits } from '../access/limits.ts'
import type { World } from '../world.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
}

/** All that can be done with files that are stored. */
export function createFileVerbs({ now }: World, { stores, publishing }: Opened) {
  const { blobs, content, past } = stores
  const { catalog: published, publisher } = publishing
  const publishedCommitId = () => publisher.commitId
  const restorations = createRestorations({ content, publisher, blobs })
  const history = createAssetHistory({ content, published })
  return {
    fileEdits: createFileEdits({ content, published, publishedCommitId, publisher, blobs }),
    deleted: createDeletedFiles({ past, published, restorations, now }),
    formerNames: createFormerNames({ past, published }),
    history,
    restoredVersions: createRestoredVersions({ history, blobs, published, publisher }),
    reversals: createCommitReversals({ content, published, publisher, blobs }),
    descriptions: createDescriptions({ content, published, publisher }),
  }
}

export const purgesOf = (
  { now }: World,
  { stores, publishing, limits }: Opened & { readonly limits: Limits },
) =>
  createPurges({
    store: stores.publications,
    feed: publishing.feed,
    quota: limits.purges,
    quotaOf: limits.purgesOf,
    monthlyOf: limits.monthly.purges,
    now,
  })
