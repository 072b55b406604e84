import { clientsDirectory } from '../../domain/content/asset-path.ts'
import type { Files } from '../../domain/content/files/files.ts'
import {
  createUploads,
  type StagedUploads,
  type UploadsInUse,
} from '../../domain/uploads/staged-uploads.ts'
import type { UploadDependencies, UploadSettings, Uploads } from '../../domain/uploads/uploads.ts'
import type { World } from '../world.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'

const hourMs = 3_600_000
/** After a start there is more urgent work. */
const firstAfterMs = 60_000

interface Opened {
  readonly stores: Pick<Stores, 'blobs' | 'content' | 'staged' | 'uploads' | 'uploadParts'>
  readonly publishing: Pick<Publishing, 'catalog' | 'previewing' | 'room'>
  readonly files: Pick<Files, 'put'>
  readonly opening: AsyncDisposableStack
  readonly checkWhole?: UploadDependencies['checkWhole']
}

/** Files that arrive in pieces, for both upload protocols. What is left of them is removed once an hour. */
export function openUploads(world: World, { stores, publishing, opening, ...rest }: Opened) {
  const { blobs, content, staged } = stores
  const settings = settingsOf(world.config)
  const uploads = createUploads({
    ...rest,
    staged,
    store: stores.uploads,
    partStore: stores.uploadParts,
    blobs,
    content,
    published: publishing.catalog,
    requireRoom: (path, blob) =>
      publishing.room.require({
        changes: [{ kind: 'put', path: `${clientsDirectory}/${path}`, blob }],
      }),
    ofPreview: async (zone, name, actor) => {
      const { files, catalog, preview } = await publishing.previewing.verbsOf(zone, name, actor)
      return { files, published: catalog, commitId: preview.headCommitId }
    },
    settings,
    now: world.now,
    newId: () => crypto.randomUUID(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  collectHourly(world, uploads, opening)
  const { maxFileBytes, ttlMs } = settings
  const inUse: UploadsInUse = uploads
  const { multipart } = uploads
  return {
    uploads: uploads as Uploads,
    multipart,
    inUse,
    maxFileBytes,
    uploadTtlSeconds: ttlMs / 1000,
  }
}

function collectHourly(
  { log }: World,
  uploads: StagedUploads,
  opening: Pick<AsyncDisposableStack, 'defer'>,
): void {
  const collect = (): void =>
    void uploads.collect().then(
      (removed) => removed > 0 && log.info('removed what was left of uploads', { removed }),
      (error: unknown) => log.warn('what is left of uploads cannot be removed', { error }),
    )
  const first = setTimeout(collect, firstAfterMs)
  const timer = setInterval(collect, hourMs)
  opening.defer(() => {
    clearTimeout(first)
    clearInterval(timer)
  })
}

const settingsOf = (config: World['config']): UploadSettings => ({
  ttlMs: config.uploadTtlHours * hourMs,
  maxFileBytes: config.maxFileMb * 2 ** 20,
  maxStagedBytes: config.maxStagedGb * 2 ** 30,
  maxOpenPerZone: config.uploadsPerZone,
  maxOpenPerNetwork: config.uploadsPerNetwork,
})
