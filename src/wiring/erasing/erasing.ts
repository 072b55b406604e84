import { createErasures } from '../../domain/erasing/erasures.ts'
import { createErasingWork } from '../../domain/erasing/erasing-work.ts'
import { liveFiles } from '../../domain/erasing/live-files.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

export type Erasing = ReturnType<typeof openErasing>

/** Erasing for good, and going on with what was ordered before the start. */
export function openErasing({ log, now, newId }: World, { stores, publishing, opening }: Opened) {
  const { publications, versions, blobs, erased, erasures: store } = stores
  const { catalog, feed, publisher } = publishing
  const places = [liveFiles({ published: catalog, publisher })]
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
  const erasures = createErasures({ ...common, versions, blobs, newId, wake: () => work.wake() })
  return { erasures, previewsWith: async () => [], work }
}
