import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { plainText, sign } from '../../src/domain/access/signed-url.ts'
import { testApp } from '../../src/http/testing.ts'
import { Secret } from '../../src/lib/secrets/secret.ts'
import { createWithheldAssets } from '../../src/domain/content/delivered/withheld-assets.ts'
import { getStream } from '../../src/planes/delivery/streams/stream.ts'
import { sampleVideo, sampleVideoFile } from '../fixtures/media/sample-videos.ts'
import { createStreamingWorld, pathOf, storeVideos } from './streaming-world.ts'

const ffmpeg = Bun.which('ffmpeg')
if (ffmpeg === null)
  console.log('Skipped: playing streams by default needs ffmpeg (apt-get install ffmpeg)')

const secret = 'topsecret'
const expires = '1775131200'
const house = createStreamingWorld({ sign: (path, until) => sign(plainText(path, until), secret) })
const app = testApp([
  getStream.endpoint({
    previewOfHost: () => undefined,
    zoneOfHost: () => undefined,
    withheld: createWithheldAssets({ ruleFile: () => undefined, zone: () => undefined }),
    pinned: { from: async () => ({ asset: () => undefined, zone: () => undefined }) },
    streams: house.streams,
    signedUrlSecret: new Secret(secret),
    signedUrlMaxAgeSeconds: 604_800,
    now: () => new Date('2026-04-01T12:00:00.000Z'),
  }),
])
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge-plays-'))
  await storeVideos(house)
  await house.store('acme/v1/private/film.mp4', await sampleVideo('regular'))
  if (ffmpeg !== null) await storeReadyMade()
})
afterAll(async () => {
  await server.stop(true)
  await rm(directory, { recursive: true })
})

/** The endpoint, and stored files at their own and at signed URLs. */
async function respond(request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (url.pathname === '/api/stream') return app.fetch(request, '127.0.0.1')
  const path = url.pathname === '/api/signed' ? url.searchParams.get('path') : url.pathname.slice(1)
  const record = house.assets.get(path ?? '')
  return record === undefined
    ? new Response(null, { status: 404 })
    : new Response((await house.blobs.open(record.sha256)) ?? null)
}

/** The same video cut into MPEG transport streams, public and private. */
async function storeReadyMade(): Promise<void> {
  const list = join(directory, 'list.m3u8')
  const made = runFFmpeg(`-c copy -f hls -hls_time 2 -hls_list_size 0 ${list}`)
  expect(made.stderr.toString()).toBe('')
  for (const name of await readdir(directory))
    for (const category of ['show', 'private'])
      await house.store(
        `acme/v1/${category}/${name}`,
        await Bun.file(join(directory, name)).bytes(),
      )
}

/** How many frames of video FFmpeg decodes, with nothing but its default options. */
async function playedFrames(query: string): Promise<number> {
  const url = `${server.url.origin}/api/stream?${query}`
  const played = Bun.spawn(
    [ffmpeg ?? '', '-v', 'error', '-i', url, '-map', '0:v:0', '-f', 'framecrc', '-'],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  const [frames, faults] = await Promise.all([
    new Response(played.stdout).text(),
    new Response(played.stderr).text(),
  ])
  expect(faults).toBe('')
  expect(await played.exited).toBe(0)
  return frames.split('\n').filter((line) => /^\d/u.test(line)).length
}

const signature = (path: string) =>
  `path=${path}&expires=${expires}&sig=${sign(plainText(path, expires), secret)}`

const streams: readonly (readonly [string, string])[] = [
  ['a video by its master playlist', `path=${pathOf('regular')}`],
  ['a video by the playlist of one quality', `path=${pathOf('regular')}&quality=90p`],
  ['a private film by its signature', signature('acme/v1/private/film.mp4')],
  ['a stored playlist', 'path=acme/v1/show/list.m3u8'],
  ['a private stored playlist by its signature', signature('acme/v1/private/list.m3u8')],
]

for (const [what, query] of streams)
  test.skipIf(ffmpeg === null)(`${what} plays in FFmpeg with its default options`, async () => {
    expect(await playedFrames(query)).toBe(frameCount())
  })

test.skipIf(ffmpeg === null)('a video in several sizes with subtitles plays as well', async () => {
  expect(await playedFrames(`path=${pathOf('ladder')}`)).toBeGreaterThan(0)
})

/** Of the video as a file. */
function frameCount(): number {
  return runFFmpeg('-map 0:v:0 -f framecrc -')
    .stdout.toString()
    .split('\n')
    .filter((line) => /^\d/u.test(line)).length
}

/** On the video as a file. */
const runFFmpeg = (options: string) =>
  Bun.spawnSync([
    ffmpeg ?? '',
    '-v',
    'error',
    '-i',
    sampleVideoFile('regular'),
    ...options.split(' '),
  ])
