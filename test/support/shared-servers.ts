import { type DatabaseServer, databaseServerAt, startPostgres } from './postgres-server.ts'
import { blobServerAt, type BlobServer, startS3 } from './s3-server.ts'

/** Names the socket at which a run of many files tells where its servers are. */
export const serversName = 'TEST_SERVERS'

/** What the run answers. */
export interface SharedServers {
  readonly database: { readonly port: number }
  readonly blobs: { readonly port: number; readonly files: string }
}

/**
 * The PostgreSQL server of the run, or one of the file's own where it is run by itself. It flushes nothing,
 * and nobody may stop it.
 */
export async function openDatabaseServer(): Promise<DatabaseServer> {
  const shared = await ask('database')
  return shared ? databaseServerAt(shared.port) : await startPostgres({ flushes: false })
}

/** The S3 server of the run, or one of the file's own where it is run by itself. */
export async function openBlobServer(): Promise<BlobServer> {
  const shared = await ask('blobs')
  return shared ? blobServerAt(shared) : await startS3()
}

async function ask<Name extends keyof SharedServers>(
  name: Name,
): Promise<SharedServers[Name] | undefined> {
  const unix = process.env[serversName]
  if (unix === undefined) return undefined
  const response = await fetch(`http://localhost/${name}`, { unix })
  if (!response.ok) throw new Error(`the run could not start its server: ${await response.text()}`)
  return (await response.json()) as SharedServers[Name]
}
