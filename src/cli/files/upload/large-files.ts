import { openAsBlob } from 'node:fs'

import { SedgeError } from '../../../client/client.ts'
import type { StoredFile } from '../../../client/types.ts'
import type { Session } from '../../support/service-command.ts'
import { createBegunUploads } from './begun-uploads.ts'

/** From here on a file goes up in pieces, and goes on where it was broken off. */
export const largeFromBytes = 16 * 2 ** 20

interface LargeFile {
  readonly source: string
  readonly path: string
  readonly sha256: string
  readonly headers: Readonly<Record<string, string>>
}

/** How far a file is, by what has become of it since. */
export interface ByteCount {
  /** Sent now. */
  advance(bytes: number): void
  /** There from before. */
  skip(bytes: number): void
}

export interface LargeFiles {
  /** Stores a file, or goes on with it where the same command was broken off before. */
  store(file: LargeFile, count: ByteCount): Promise<StoredFile>
}

export function createLargeFiles({
  client,
  connection: { url: service },
  terminal,
  preview,
}: Pick<Session, 'client' | 'connection' | 'terminal' | 'preview'>): LargeFiles {
  const begun = createBegunUploads(terminal)
  // What was begun for one preview is not gone on with for another, nor for what is live.
  const url = preview === undefined ? service : `${service}/@~${preview}`

  async function send(file: LargeFile, id: string | undefined, count: ByteCount) {
    const { source, path, sha256, headers } = file
    const upload = { url, path, sha256 }
    let counted: number | undefined
    const remembering: Promise<void>[] = []
    const stored = await client.uploadFile(
      {
        path,
        body: await openAsBlob(source),
        headers: { ...headers, Checksum: sha256 },
        ...(id === undefined ? {} : { id }),
      },
      {
        onBegun: (begunId) => void remembering.push(begun.remember(upload, begunId)),
        onProgress({ sentBytes }) {
          if (counted === undefined) count.skip(sentBytes)
          else count.advance(sentBytes - counted)
          counted = sentBytes
        },
      },
    )
    await Promise.all(remembering)
    await begun.forget(upload)
    return stored
  }

  return {
    async store(file, count) {
      const { path, sha256 } = file
      const id = await begun.idOf({ url, path, sha256 })
      if (id === undefined) return await send(file, undefined, count)
      try {
        return await send(file, id, count)
      } catch (error) {
        // What was remembered is over, or was refused: now it may be another thing.
        if (!(error instanceof SedgeError) || error.status >= 500) throw error
        await begun.forget({ url, path, sha256 })
        if (error.code !== 'UploadNotFound' && error.code !== 'UploadExpired') throw error
        return await send(file, undefined, count)
      }
    },
  }
}
