import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob, readFileSync } from 'node:fs'

import { refusalsOf } from '../../../client/archive-results.ts'
import { SedgeError } from '../../../client/client.ts'
import { archiveOf } from '../../../client/tar-archive.ts'
import type { Client } from '../../../client/types.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { batchesOf, type LocalFile } from './import-plan.ts'
import { type ByteCount, largeFromBytes, type LargeFiles } from './large-files.ts'

/** A content type that says nothing: the service then goes by the name. Without it Bun sends its own guess. */
export const byName = 'application/octet-stream'

interface Options {
  /** How many requests are under way at once. */
  readonly jobs: number
  readonly large: LargeFiles
  /** After each file that was stored or refused. */
  readonly onFile: (file: LocalFile) => void
  /** While large files go up. */
  readonly count?: ByteCount
}

const uncounted: ByteCount = { advance: () => {}, skip: () => {} }

export interface RefusedFile {
  readonly path: string
  readonly error: SedgeError
}

/**
 * Stores files, small ones together as archives, large ones in pieces, which go on where they were broken off. Only those
 * that are at fault are left out.
 */
export async function upload(
  files: readonly LocalFile[],
  client: Client,
  { jobs, large, onFile, count = uncounted }: Options,
): Promise<readonly RefusedFile[]> {
  const refused: RefusedFile[] = []
  async function one(file: LocalFile): Promise<void> {
    const error = await refusalOf(() =>
      file.sizeBytes < largeFromBytes ? putFile(file, client) : storeLarge(file, large, count),
    )
    if (error !== undefined) refused.push({ path: file.path, error })
    onFile(file)
  }
  await mapConcurrently(batchesOf(files), jobs, async (batch) => {
    const [first] = batch
    if (batch.length === 1 && first !== undefined) return await one(first)
    refused.push(...(await putTogether(batch, client)))
    for (const file of batch) onFile(file)
  })
  return refused
}

/** A fault of the files themselves; one that every file would meet is thrown. */
async function refusalOf(call: () => Promise<unknown>): Promise<SedgeError | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof SedgeError && [400, 409, 412, 413, 415].includes(error.status))
      return error
    throw error
  }
}

/** In one request; answers those that were refused. */
async function putTogether(
  batch: readonly LocalFile[],
  client: Client,
): Promise<readonly RefusedFile[]> {
  const files = batch.map(({ path, source }) => {
    const bytes = readFileSync(source)
    return { path, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  const response = await client.putArchive(archiveOf(files))
  const refusals = refusalsOf(await response.text())
  return [...refusals].map(([path, error]) => ({ path: path.replace(/^clients\//u, ''), error }))
}

const putFile = async ({ path, source }: LocalFile, client: Client) =>
  await client.putFile({
    path,
    body: await openAsBlob(source),
    headers: { Checksum: await sha256OfFile(source), 'Content-Type': byName },
  })

const storeLarge = async ({ path, source }: LocalFile, large: LargeFiles, count: ByteCount) =>
  await large.store(
    { path, source, sha256: await sha256OfFile(source), headers: { 'Content-Type': byName } },
    count,
  )

/** In hex. The file is never whole in memory. */
export async function sha256OfFile(source: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(source)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
