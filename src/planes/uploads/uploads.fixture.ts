import { openUploads } from '../../domain/uploads/uploads.fixture.ts'
import { endpoints } from '../../http/operation.ts'
import { testApp, testKeys } from '../../http/testing.ts'
import { draftOperations } from './draft/draft-operations.ts'
import { tusOperations } from './tus/tus-operations.ts'

/** Both protocols over uploads in memory: files of at most 1000 bytes into the zones `acme` and `other`. */
export async function openUploadApp() {
  const world = await openUploads()
  const { settings, published: catalog } = world.dependencies
  const app = testApp(
    endpoints([...tusOperations, ...draftOperations], {
      uploads: world.uploads,
      catalog,
      similarAssets: { ofUpload: async () => undefined },
      maxFileBytes: settings.maxFileBytes,
      uploadTtlSeconds: settings.ttlMs / 1000,
      now: () => world.clock.time,
    }),
    { now: () => world.clock.time, corsOrigins: new Set(['https://app.example']) },
  )
  return {
    ...world,
    ask: (method: string, path: string, init: Asking = {}) =>
      app.fetch(
        new Request(new URL(path, 'http://sedge.test'), {
          method,
          headers: { AccessKey: testKeys.access, ...init.headers },
          ...(init.body !== undefined && { body: init.body }),
        }),
        '192.0.2.1',
      ),
  }
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
}

/** A body that breaks off after these bytes, as where the connection is lost. */
export const brokenOff = (bytes: string): ReadableStream<Uint8Array> => {
  const pieces = [new TextEncoder().encode(bytes)]
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.error(new Error('the connection was lost'))
      else controller.enqueue(piece)
    },
  })
}
