import { useSyncExternalStore } from 'react'

import { browserWorld } from './browser-world.ts'
import type { UploadSnapshot } from './upload-book.ts'
import { createUploadQueue } from './upload-queue.ts'

/** The uploads of this window; they go on while other pages are looked at. */
export const uploads = createUploadQueue(browserWorld)

export const useUploads = (): UploadSnapshot =>
  useSyncExternalStore((listener) => uploads.subscribe(listener), uploads.snapshot)
