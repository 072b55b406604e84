import { createErasures } from '../../domain/erasing/erasures.ts'
import {
  blobsPlace,
  databasePlace,
  edgePlaces,
  madePlace,
  repositoryPlace,
  placeOutOfReach,
} from '../../domain/erasing/erasing-places.ts'
import { createErasingWork } from '../../domain/erasing/erasing-work.ts'
import type { ErasingPlace } from '../../domain/erasing/erasing-place.ts'
import { liveFiles } from '../../domain/erasing/live-files.ts'
import type { Publishing } from '../content/publishing.ts'
import { renamePreviews } from '../../domain/erasing/renamed-previews.ts'
import { idNowOf, type Stores } from '../content/stores.ts'
import type { Edges } from '../edges.ts'
import type { Media } from '../media.ts'
import type { OpenedS3 } from '../s3/s3.ts'
import type { OpenedReturnedBytes } from './returned-bytes.ts'
import type { World } from '../world.ts'
import { letGoDaily } from './retention.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Pick<Media, 'forget' | 'forgetMade'>
  readonly s3: Pick<OpenedS3, 'forget'>
  readonly edges: Edges
  readonly returned: Pick<OpenedReturnedBytes, 'onTakenUp'>
  readonly opening: AsyncDisposableStack
}

export type Erasing = ReturnType<typeof openErasing>

/** Erasing for good, and going on with what was ordered before the start. */
export function openErasing(world: World, opened: Opened) {
  const { log, now, newId } = world
  const { stores, publishing, opening } = opened
  const { publications, versions, blobs, erased, erasures: store } = stores
  const { catalog, feed } = publishing
  const places = placesOf(world, opened)
  const common = { store, publications, published: catalog, erased, feed, places, now, log }
  const work = opening.use(
    createErasingWork({
      ...common,
      later(ms, task) {
        const timer = setTimeout(task, ms)
        timer.unref()
        return () => clearTimeout(timer)
      },
    }),
  )
  work.wake()
  letGoDaily(world, opened)
  opened.returned.onTakenUp(() => work.wake())
  const erasures = createErasures({ ...common, versions, blobs, newId, wake: () => work.wake() })
  return {
    erasures,
    previewsWith: (sha256s: readonly string[]) => publishing.previewing.blobs.previewsWith(sha256s),
  }
}

/** In the order in which they forget: what could bring bytes back comes before where it would. */
function placesOf(
  { config }: World,
  { stores, publishing, media, s3, edges }: Opened,
): readonly ErasingPlace[] {
  const { catalog, publisher } = publishing
  const { database, content, blobs, staged } = stores
  return [
    liveFiles({ published: catalog, publisher }),
    edgePlaces(edges.operations.edges),
    repositoryPlace(content, async () => {
      // Before their former packs go, where there are several nodes.
      await renamePreviews({ previews: publishing.previewBook, idNow: idNowOf(content) })
      await publisher.renamed()
    }),
    blobsPlace({ blobs, staged }),
    madePlace((sha256) => media.forgetMade(sha256)),
    databasePlace(
      async (sha256) => {
        await media.forget(sha256)
        await s3.forget(sha256)
      },
      (work) => database.scrub(work),
    ),
    ...(config.gitRemote === undefined ? [] : [placeOutOfReach('mirror', mirrorDetail)]),
    placeOutOfReach('backups', backupsDetail),
  ]
}

const mirrorDetail =
  'its branch main is replaced where it is as it was pushed, and else nothing is fetched or pushed; its host keeps what no branch leads to until it collects garbage, and large files until they are removed there'
const backupsDetail =
  'backups made before still have the bytes, as clones and caches of others do; make new ones and remove those'
