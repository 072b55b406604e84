import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sampleVideoFile, sampleVideos, type SampleVideo } from '../fixtures/media/sample-videos.ts'
import { createStreamingWorld, fetchStream, pathOf, storeVideos } from './streaming-world.ts'
import { all, readPlaylist } from './playlist-reader.ts'

const ffmpeg = Bun.which('ffmpeg')
if (ffmpeg === null)
  console.log('Skipped: decoded pictures and sound need ffmpeg (apt-get install ffmpeg)')

const house = createStreamingWorld()
let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge-frames-'))
  await storeVideos(house)
})
afterAll(() => rm(directory, { recursive: true }))

for (const name of sampleVideos.filter((each) => each !== 'pre-roll'))
  test.skipIf(ffmpeg === null)(
    `${name}, played from its segments, decodes to the source's pictures and sound at the source's times`,
    async () => {
      for (const [stream, quality] of (await qualitiesOf(name)).entries()) {
        const source = decode(sampleVideoFile(name), stream)
        expect(source.length).toBeGreaterThan(0)
        expect(decode(await playedFile(name, quality), 0)).toEqual(source)
      }
    },
  )

test.skipIf(ffmpeg === null)(
  'a video that was cut between two key frames begins with the first of them, video and sound moved alike',
  async () => {
    const movedBy = { source: 30, audio: 57_600 } as const
    for (const [stream, quality] of (['source', 'audio'] as const).entries()) {
      const source = decode(sampleVideoFile('pre-roll'), stream)
      const played = decode(await playedFile('pre-roll', quality), 0)
      const moved = source.map((frame) => {
        const [time, md5] = frame.split(' ')
        return `${Number(time) + movedBy[quality]} ${md5}`
      })

      expect(played.slice(-source.length)).toEqual(moved)
      expect(played[0]).toStartWith(quality === 'source' ? '0 ' : '')
    }
  },
)

async function playedFile(name: SampleVideo, quality: string): Promise<string> {
  const file = join(directory, `${name}-${quality}.mp4`)
  await writeFile(file, await playedBytes(name, quality))
  return file
}

/** The video's own renditions in the order of its tracks. */
async function qualitiesOf(name: string): Promise<readonly string[]> {
  const { text } = await house.streams.playlist({
    path: pathOf(name),
    quality: undefined,
    grant: undefined,
  })
  const sounds = all(readPlaylist(text), 'EXT-X-MEDIA').flatMap(({ attributes }) =>
    attributes.get('TYPE') === 'AUDIO' ? (attributes.get('URI') ?? '') : [],
  )
  const named = sounds.map((uri) => new URLSearchParams(uri.slice(1)).get('quality') ?? '')
  return text.includes('RESOLUTION') ? ['source', ...named] : named
}

/** As a player would have it: the map, then every segment. */
async function playedBytes(name: string, quality: string): Promise<Uint8Array> {
  const list = readPlaylist(
    Buffer.from(
      (await fetchStream(house, `?path=${pathOf(name)}&quality=${quality}`)).bytes,
    ).toString(),
  )
  const map = all(list, 'EXT-X-MAP')[0]?.attributes.get('URI') ?? ''
  const uris = [map, ...all(list, 'EXTINF').map(({ uri }) => uri)]
  return Buffer.concat(
    await Promise.all(uris.map(async (uri) => (await fetchStream(house, uri)).bytes)),
  )
}

/**
 * Time and MD5 of every decoded frame that is presented. FFmpeg cuts the first frame of sound where
 * an edit list begins within it, but not in fragments, so that frame is left out where it was cut.
 */
function decode(file: string, stream: number): readonly string[] {
  const { stdout } = Bun.spawnSync([
    ffmpeg ?? '',
    '-v',
    'error',
    '-copyts',
    '-i',
    file,
    '-map',
    `0:${stream}`,
    '-copyts',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  ])
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((field) => field.trim()))
    .filter(([, , time, duration]) => Number(time) > 0 || (Number(time) === 0 && isWhole(duration)))
    .map(([, , time, , , md5]) => `${time} ${md5}`)
}

/** Encoders of sound make frames of 1024, 1152 or 960 samples; frames last one unit. */
const isWhole = (duration: string | undefined): boolean =>
  ['1', '1024', '1152', '960'].includes(duration ?? '')
