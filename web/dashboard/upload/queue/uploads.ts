import { useSyncExternalStore } from 'react'

import { browserWorldOf } from './browser-world.ts'
import type { KeptUpload } from './kept-uploads.ts'
import { createUnfinished, keepWaiting } from './unfinished.ts'
import type { UploadSnapshot } from './upload-book.ts'
import { createUploadQueue } from './upload-queue.ts'

/** The uploads of this window; they go on while other pages are looked at. */
export const uploads = createUploadQueue(browserWorldOf())

/** Those of earlier windows. */
export const unfinished = createUnfinished(uploads)

keepWaiting(uploads)

export const useUnfinished = (): readonly KeptUpload[] =>
  useSyncExternalStore((listener) => unfinished.subscribe(listener), unfinished.snapshot)

export const useUploads = (): UploadSnapshot =>
  useSyncExternalStore((listener) => uploads.subscribe(listener), uploads.snapshot)
