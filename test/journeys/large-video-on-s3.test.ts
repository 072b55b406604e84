import { expect, test } from 'bun:test'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { peakGrowth } from '../../bench/process-usage.ts'
import { createZone, makeLargeVideo, playAndSeek, uploadLarge } from '../support/large-video.ts'
import { ffmpeg, have, s3Server } from '../support/needs.ts'
import { startS3 } from '../support/s3-server.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

/** A video of `LARGE_FILE_MB`, 60 where that is left out. */
const minBytes = Number(process.env['LARGE_FILE_MB'] ?? 60) * 2 ** 20
const limitMs = 600_000
const path = 'acme/v1/films/film.mp4'
/** Whatever the size: objects of 8 MiB on their way, and garbage. */
const maxGrowthBytes = 192 * 2 ** 20

/** What a service has of the blobs in files of its own. */
async function keptBytes(dataDirectory: string): Promise<number> {
  const blobs = join(dataDirectory, 'cache', 'blobs')
  const names = await readdir(blobs, { recursive: true }).catch(() => [])
  const all = await Promise.all(names.map((name) => stat(join(blobs, name)).catch(() => undefined)))
  return all.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0)
}

if (have('large videos on S3', ffmpeg, s3Server))
  test(
    'a large video whose bytes are in S3 plays by HLS and seeks, and little of it is fetched',
    async () => {
      await using opening = new AsyncDisposableStack()
      const { path: directory } = opening.use(await temporaryDirectory())
      const blobs = opening.use(await startS3())
      const bucket = await blobs.createBucket()
      const dataDirectory = join(directory, 'data')
      const options = {
        dataDirectory,
        environment: {
          BLOB_STORE: bucket.url(),
          S3_ACCESS_KEY_ID: blobs.credentials.accessKeyId,
          S3_SECRET_ACCESS_KEY: blobs.credentials.secretAccessKey,
          EDGE_WORKERS: '1',
          MAX_STAGED_GB: '20',
        },
      }
      const video = await makeLargeVideo(directory, minBytes)
      let first: Awaited<ReturnType<typeof playAndSeek>>
      {
        await using service = await startService(options)
        await createZone(service.url, 'acme')
        const growth = await peakGrowth(service.pid, () =>
          uploadLarge(service.url, path, video.file),
        )
        console.log(`the service grew by ${(growth / 2 ** 20).toFixed(1)} MB`)
        expect(growth).toBeLessThan(maxGrowthBytes)
        first = await playAndSeek(service.url, path, video.seconds)
      }
      // Copies of it are gone: what is fetched anew is parts of it.
      await rm(join(dataDirectory, 'cache', 'blobs'), { recursive: true, force: true })
      await using service = await startService(options)
      expect(await playAndSeek(service.url, path, video.seconds)).toEqual(first)
      const middle = Math.floor(video.sizeBytes / 2)
      const range = { Range: `bytes=${middle}-${middle + 999}` }
      const part = await fetch(`${service.url}/${path}`, { headers: range })
      expect(part.status).toBe(206)
      expect(await part.bytes()).toEqual(
        await Bun.file(video.file)
          .slice(middle, middle + 1_000)
          .bytes(),
      )
      expect(await keptBytes(dataDirectory)).toBeLessThan(24 * 2 ** 20)
    },
    limitMs,
  )
