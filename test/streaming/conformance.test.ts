import { beforeAll, expect, test } from 'bun:test'
import { parse, setOptions } from 'hls-parser'

import { sampleVideos } from '../fixtures/media/sample-videos.ts'
import { breachesOf } from './apple-rules.ts'
import { createStreamingWorld, fetchStream, pathOf, storeVideos } from './streaming-world.ts'
import { all, readPlaylist } from './playlist-reader.ts'
import { readStream } from './read-stream.ts'

const house = createStreamingWorld()
const fetch = (uri: string) => fetchStream(house, uri)
const textOf = async (uri: string) => Buffer.from((await fetch(uri)).bytes).toString()
const masterUri = (name: string) => `?path=${pathOf(name)}`

beforeAll(async () => {
  setOptions({ strictMode: true })
  await storeVideos(house)
})

for (const name of sampleVideos) {
  test(`${name} keeps the rules of Apple's authoring specification`, async () => {
    expect(breachesOf(await readStream(masterUri(name), fetch))).toEqual([])
  })

  test(`a strict parser takes every playlist of ${name}`, async () => {
    const master = await textOf(masterUri(name))
    const uris = readPlaylist(master).flatMap(({ attributes, uri }) => attributes.get('URI') ?? uri)

    expect(parse(master)).toMatchObject({ isMasterPlaylist: true })
    for (const uri of new Set(uris.filter((text) => text !== '')))
      expect(parse(await textOf(uri))).toMatchObject({ isMasterPlaylist: false, endlist: true })
  })
}

test('all sizes of a ladder are cut at the same moments (8.22), and so is their sound', async () => {
  for (const quality of ['180p', '144p', '90p', 'audio'])
    expect(await tenthsOf(`${masterUri('ladder')}&quality=${quality}`)).toEqual([60, 60, 60, 10])
})

const tenthsOf = async (uri: string) =>
  all(readPlaylist(await textOf(uri)), 'EXTINF').map(({ value }) =>
    Math.round(Number.parseFloat(value) * 10),
  )

const spoilings: readonly (readonly [string, (text: string) => string, RegExp])[] = [
  [
    'a bandwidth that is too low',
    (text) => text.replaceAll(/(?<=:BANDWIDTH=)\d+/gu, '1000'),
    /1\.26/u,
  ],
  [
    'an average that is too high',
    (text) => text.replaceAll(/(?<=AVERAGE-BANDWIDTH=)/gu, '9'),
    /1\.27/u,
  ],
  ['no codecs', (text) => text.replaceAll(/CODECS="[^"]*",/gu, ''), /9\.1/u],
  ['no frame rate', (text) => text.replaceAll(/FRAME-RATE=[\d.]+,/gu, ''), /9\.15/u],
  ['no language', (text) => text.replaceAll(/LANGUAGE="[^"]*",/gu, ''), /8\.10/u],
  ['no single key frames', (text) => text.replaceAll(/#EXT-X-I-FRAME-STREAM.*\n/gu, ''), /6\.1/u],
  ['a target duration too short', (text) => text.replace('DURATION:6', 'DURATION:5'), /7\.7/u],
  ['a list without type', (text) => text.replace('#EXT-X-PLAYLIST-TYPE:VOD\n', ''), /8\.6/u],
  ['a list without map', (text) => text.replaceAll(/#EXT-X-MAP.*\n/gu, ''), /8\.20/u],
  ['durations that are wrong', (text) => text.replaceAll('EXTINF:6.0', 'EXTINF:4.0'), /8\.1/u],
  ['segments in the wrong order', (text) => text.replace('segment=1', 'segment=2'), /7\.3/u],
]

for (const [what, spoil, rule] of spoilings)
  test(`the rules notice ${what}`, async () => {
    const stream = await readStream(masterUri('ladder'), async (uri) => {
      const { bytes, contentType } = await fetch(uri)
      return contentType.endsWith('mpegurl')
        ? { contentType, bytes: Buffer.from(spoil(Buffer.from(bytes).toString())) }
        : { contentType, bytes }
    })

    expect(breachesOf(stream).join('\n')).toMatch(rule)
  })
