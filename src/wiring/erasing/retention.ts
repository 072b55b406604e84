import { renamePreviews } from '../../domain/erasing/renamed-previews.ts'
import { letGoOfOutdated } from '../../domain/erasing/retention.ts'
import type { Publishing } from '../content/publishing.ts'
import { idNowOf, type Stores } from '../content/stores.ts'
import type { Media } from '../media.ts'
import type { OpenedS3 } from '../s3/s3.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Pick<Media, 'forget' | 'forgetMade'>
  readonly s3: Pick<OpenedS3, 'forget'>
  readonly opening: AsyncDisposableStack
}

const dayMs = 86_400_000
/** After a start others are served first. */
const firstAfterMs = 5_000

/** Lets go, once a day, of what zones no longer keep. What an earlier process has broken off is gone on with. */
export function letGoDaily(world: World, opened: Opened): void {
  const { log } = world
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running
      .then(async () => void (await letGoOfOutdated(dependenciesOf(world, opened))))
      .catch((error: unknown) => log.warn('outdated versions could not be let go', { error }))
  }
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, dayMs)
  opened.opening.defer(async () => {
    clearTimeout(first)
    clearInterval(timer)
    await running
  })
}

const dependenciesOf = (
  { now, log }: World,
  { stores, publishing, media, s3 }: Opened,
): Parameters<typeof letGoOfOutdated>[0] => ({
  content: stores.content,
  published: publishing.catalog,
  previews: publishing.previewing.blobs,
  publisher: publishing.publisher,
  blobs: stores.blobs,
  versions: stores.versions,
  async rename() {
    await renamePreviews({
      previews: publishing.previewBook,
      idNow: idNowOf(stores.content),
    })
    await publishing.publisher.renamed()
  },
  async forget(sha256s) {
    for (const sha256 of sha256s) await media.forgetMade(sha256)
    await stores.database.scrub(async () => {
      for (const sha256 of sha256s) {
        await media.forget(sha256)
        await s3.forget(sha256)
      }
    })
  },
  now,
  log,
})
