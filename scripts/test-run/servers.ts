import { join } from 'node:path'

import { startPostgres } from '../../test/support/postgres-server.ts'
import { startS3 } from '../../test/support/s3-server.ts'
import { serversName, type SharedServers } from '../../test/support/shared-servers.ts'
import { standbyName } from '../../test/support/service-process.ts'
import { bucketName, databaseServerName } from '../../test/support/stores-elsewhere.ts'
import type { Stores } from './plan.ts'

/** One PostgreSQL server and one S3 server for all test files of a run. */
export interface Servers extends AsyncDisposable {
  /** What a test file is told, so that it finds them, or has all its services keep everything there. */
  environmentFor(stores: Stores | undefined): Promise<Readonly<Record<string, string>>>
}

/** Each is started when somebody asks for it; whoever needs none waits for none. */
export async function openServers(directory: string): Promise<Servers> {
  await using opening = new AsyncDisposableStack()
  const undo = opening.use(new AsyncDisposableStack())
  const once = <T>(start: () => Promise<T>): (() => Promise<T>) => {
    let started: Promise<T> | undefined
    return () => (started ??= start())
  }
  const database = once(async () => undo.use(await startPostgres({ flushes: false })))
  const blobs = once(async () => undo.use(await startS3()))
  const bucket = once(async () => (await blobs()).createBucket())
  const socket = join(directory, 'servers.sock')
  const server = Bun.serve({
    unix: socket,
    routes: {
      '/database': async () => {
        const { port } = await database()
        return Response.json({ port } satisfies SharedServers['database'])
      },
      '/blobs': async () => {
        const { port, files } = await blobs()
        return Response.json({ port, files } satisfies SharedServers['blobs'])
      },
    },
  })
  opening.defer(() => server.stop(true))
  const opened = opening.move()
  return {
    async environmentFor(stores) {
      const shared = { [serversName]: socket }
      if (stores === undefined) return shared
      const { accessKeyId, secretAccessKey } = (await blobs()).credentials
      return {
        ...shared,
        [databaseServerName]: `postgres://sedge@127.0.0.1:${(await database()).port}`,
        [bucketName]: (await bucket()).url(),
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        ...(stores === 'through a standby' && { [standbyName]: 'true' }),
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
