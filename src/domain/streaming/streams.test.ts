import { expect, test } from 'bun:test'

import {
  createStreamingWorld,
  pathOf,
  storeVideos,
  type StreamingWorld,
} from '../../../test/streaming/streaming-world.ts'
import { sampleVideo, type SampleVideo } from '../../../test/fixtures/media/sample-videos.ts'
import type { Grant, SegmentRequest } from './stream-request.ts'

async function houseOf(...names: readonly SampleVideo[]): Promise<StreamingWorld> {
  const house = createStreamingWorld({ sign: (path, expires) => `signed(${path},${expires})` })
  for (const name of names) await house.store(pathOf(name), await sampleVideo(name))
  return house
}

const master = (path: string, grant?: Grant) => ({ path, quality: undefined, grant })
const segmentOf = (name: string, more: Partial<SegmentRequest> = {}): SegmentRequest => ({
  path: pathOf(name),
  quality: '90p',
  segment: 0,
  version: undefined,
  grant: undefined,
  ...more,
})
const grantFor = (path: string): Grant => ({ path, expires: '1900000000', signature: 'abc' })
const versionIn = (text: string) => /v=([0-9a-f-]+)/u.exec(text)?.[1] ?? ''

test('what is not published, hidden or in a zone that is switched off is not found', async () => {
  const house = await houseOf('regular')
  const { streams, zones } = house
  await house.store('acme/v1/private/film.mp4', await sampleVideo('one-frame'))
  await house.store('ghost/v1/films/film.mp4', await sampleVideo('one-frame'))
  zones.set('off', { name: 'off', createdAt: new Date(0), enabled: false, suspended: false })
  await house.store('off/v1/films/film.mp4', await sampleVideo('one-frame'))

  for (const path of [
    'acme/v1/films/none.mp4',
    'acme/v1/private/film.mp4',
    'ghost/v1/films/film.mp4',
    'off/v1/films/film.mp4',
  ])
    expect(streams.playlist(master(path))).rejects.toMatchObject({ code: 'AssetNotFound' })
})

test('a suspended zone is refused, for segments too', async () => {
  const { streams, zones } = await houseOf('regular')
  zones.set('acme', { name: 'acme', createdAt: new Date(0), enabled: true, suspended: true })

  expect(streams.playlist(master(pathOf('regular')))).rejects.toMatchObject({
    code: 'ZoneSuspended',
  })
  expect(streams.segment(segmentOf('regular'))).rejects.toMatchObject({ code: 'ZoneSuspended' })
})

test('a file that is no video is refused with the field named', async () => {
  const house = await houseOf()
  await house.store('acme/v1/films/a.png', Buffer.from('x'))

  expect(house.streams.playlist(master('acme/v1/films/a.png'))).rejects.toMatchObject({
    code: 'InvalidParameter',
    target: 'path',
  })
})

test('a broken video is refused with its reason, at publish and at every request', async () => {
  const house = await houseOf()
  const record = await house.store(
    pathOf('regular'),
    (await sampleVideo('regular')).subarray(0, 50_000),
  )

  expect(await house.streams.prepare(record)).toEqual({
    isStreamable: false,
    reason: expect.stringContaining('cut off') as string,
  })
  const refusal = {
    code: 'UnprocessableMedia',
    message: expect.stringContaining('cut off') as string,
  }
  expect(house.streams.playlist(master(record.path))).rejects.toMatchObject(refusal)
  expect(house.streams.segment(segmentOf('regular'))).rejects.toMatchObject(refusal)
})

test('what is known of a video can be told without playing it', async () => {
  const house = await houseOf()
  const record = await house.store(pathOf('regular'), await sampleVideo('regular'))
  const image = await house.store('acme/v1/films/a.png', Buffer.from('x'))

  expect(await house.streams.prepare(record)).toMatchObject({
    isStreamable: true,
    width: 160,
    height: 90,
    codecs: ['avc1.64000b', 'mp4a.40.2'],
  })
  expect(await house.streams.prepare(image)).toBeUndefined()
})

test('a video is read once: after that its index is enough', async () => {
  const house = await houseOf('regular')
  const record = house.assets.get(pathOf('regular'))
  if (record === undefined) throw new Error('It was stored')
  await house.streams.prepare(record)
  await house.blobs.remove(record.sha256)

  expect((await house.streams.playlist(master(record.path))).kind).toBe('master')
})

test('a damaged index is made again', async () => {
  const house = await houseOf('regular')
  const record = house.assets.get(pathOf('regular'))
  if (record === undefined) throw new Error('It was stored')
  await house.indexes.save(record.sha256, Buffer.from('torn'))

  expect((await house.streams.playlist(master(record.path))).kind).toBe('master')
})

test('an unknown quality or segment is not found', async () => {
  const { streams } = await houseOf('regular')

  for (const more of [
    { quality: '4k' },
    { segment: 3 },
    { segment: -1 },
    { segment: 0.5 },
    { quality: 'subtitles-en' },
  ])
    expect(streams.segment(segmentOf('regular', more))).rejects.toMatchObject({ code: 'NotFound' })
  expect(
    streams.playlist({ path: pathOf('regular'), quality: '4k', grant: undefined }),
  ).rejects.toMatchObject({ code: 'NotFound', target: 'quality' })
})

test('a segment whose URL carries the version stays the same for ever', async () => {
  const { streams } = await houseOf('regular')
  const { text } = await streams.playlist({
    path: pathOf('regular'),
    quality: '90p',
    grant: undefined,
  })
  const version = versionIn(text)

  expect(await streams.segment(segmentOf('regular', { version }))).toMatchObject({
    isImmutable: true,
  })
  expect(await streams.segment(segmentOf('regular'))).toMatchObject({ isImmutable: false })
})

test('a URL of a video that was replaced is not found, and one more size changes the URLs', async () => {
  const house = await houseOf('ladder')
  const list = { path: pathOf('ladder'), quality: 'source', grant: undefined }
  const alone = versionIn((await house.streams.playlist(list)).text)
  await house.store(pathOf('ladder_144p'), await sampleVideo('ladder_144p'))
  const both = versionIn((await house.streams.playlist(list)).text)
  await house.store(pathOf('ladder'), await sampleVideo('regular'))

  expect(both).not.toBe(alone)
  for (const version of [alone, both])
    expect(
      house.streams.segment(segmentOf('ladder', { quality: 'source', version })),
    ).rejects.toMatchObject({ code: 'NotFound', target: 'v' })
})

test('a size that cannot be streamed is left out', async () => {
  const house = await houseOf('ladder')
  await house.store('acme/v1/films/ladder_1080p.mp4', await sampleVideo('unsupported'))
  await house.store(pathOf('ladder_90p'), await sampleVideo('ladder_90p'))
  const { text, sources } = await house.streams.playlist(master(pathOf('ladder')))

  expect(text).not.toContain('quality=1080p')
  expect(text).toContain('quality=90p')
  expect(sources.map(({ name }) => name)).toEqual(['ladder.mp4', 'ladder_90p.mp4'])
})

test('a private video needs a grant, and everything its playlists name carries the grant on', async () => {
  const house = await houseOf()
  const sent = '/clients/acme/v1/private/film.mp4'
  await house.store('acme/v1/private/film.mp4', await sampleVideo('regular'))
  const path = 'acme/v1/private/film.mp4'
  const grant = grantFor(sent)
  const texts = [
    (await house.streams.playlist(master(path, grant))).text,
    (await house.streams.playlist({ path, quality: 'audio', grant })).text,
  ]

  for (const uri of texts.join('\n').match(/\?path=[^"\n]*/gu) ?? []) {
    expect(uri).toStartWith(`?path=${sent}&expires=1900000000&sig=abc&`)
  }
  expect(house.streams.segment({ ...segmentOf(''), path })).rejects.toMatchObject({
    code: 'AssetNotFound',
  })
  expect(
    (await house.streams.segment({ ...segmentOf(''), path, grant })).sizeBytes,
  ).toBeGreaterThan(0)
})

test('every URL in a playlist ends like the file it is, for players that go by names', async () => {
  const house = createStreamingWorld()
  await storeVideos(house)
  const ask = async (quality?: string) =>
    (await house.streams.playlist({ path: pathOf('ladder'), quality, grant: undefined })).text
  const urls = (text: string) => text.match(/\?path=[^"\n]*/gu) ?? []

  for (const uri of urls(await ask())) expect(uri).toEndWith('.m3u8')
  const [map, ...segments] = urls(await ask('180p'))
  expect(map).toEndWith('&segment=init.mp4')
  expect(segments.map((uri) => uri.slice(uri.indexOf('&segment=')))).toEqual(
    segments.map((_, number) => `&segment=${number}.m4s`),
  )
  expect(urls(await ask('subtitles-en'))[0]).toEndWith('&segment=0.vtt')
})

test('a stored playlist passes through, with relative URLs written out', async () => {
  const house = await houseOf()
  await house.store(
    'acme/v1/show/list.m3u8',
    Buffer.from(
      '#EXTM3U\r\n#EXT-X-KEY:METHOD=AES-128,URI="key.bin"\n#EXTINF:6,\nseg 1.ts?x=1\n\n#EXTINF:6,\nhttps://cdn.example/a.ts\n../other/b.ts\n# note\n',
    ),
  )
  const { kind, text } = await house.streams.playlist(master('acme/v1/show/list.m3u8'))

  expect(kind).toBe('file')
  expect(text.split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-KEY:METHOD=AES-128,URI="/acme/v1/show/key.bin"',
    '#EXTINF:6,',
    '/acme/v1/show/seg%201.ts?x=1',
    '',
    '#EXTINF:6,',
    'https://cdn.example/a.ts',
    '/acme/v1/other/b.ts',
    '# note',
    '',
  ])
})

test('a signed stored playlist signs what it names, but nothing outside its zone', async () => {
  const house = await houseOf()
  const path = 'acme/v1/private/list.m3u8'
  await house.store(
    path,
    Buffer.from('#EXTM3U\nlow.m3u8\nseg%201.ts\na&b+c.ts\n/other/v1/private/x.ts\n'),
  )
  const { text } = await house.streams.playlist(master(path, grantFor(path)))

  expect(text.trim().split('\n').slice(1)).toEqual([
    '/api/stream?expires=1900000000&sig=signed(acme/v1/private/low.m3u8,1900000000)&path=acme/v1/private/low.m3u8',
    '/api/signed?expires=1900000000&sig=signed(acme/v1/private/seg 1.ts,1900000000)&path=acme/v1/private/seg%201.ts',
    '/api/signed?expires=1900000000&sig=signed(acme/v1/private/a&b+c.ts,1900000000)&path=acme/v1/private/a%26b%2Bc.ts',
    '/other/v1/private/x.ts',
  ])
})

test('a stored file that only calls itself a playlist is refused', async () => {
  const house = await houseOf()
  await house.store('acme/v1/show/list.m3u8', Buffer.from('<html>'))

  expect(house.streams.playlist(master('acme/v1/show/list.m3u8'))).rejects.toMatchObject({
    code: 'UnprocessableMedia',
  })
})

test('many who ask for one new video at once wait for one reading of it', async () => {
  const house = await houseOf('regular')
  let opened = 0
  const open = house.blobs.open.bind(house.blobs)
  house.blobs.open = (...given) => {
    opened += 1
    return open(...given)
  }

  await Promise.all(
    Array.from({ length: 20 }, () => house.streams.playlist(master(pathOf('regular')))),
  )

  expect(opened).toBe(1)
})

test('a segment that was asked for before is not put together again', async () => {
  const house = await houseOf('regular')
  const first = await (await house.streams.segment(segmentOf('regular'))).read()
  const record = house.assets.get(pathOf('regular'))
  await house.blobs.remove(record?.sha256 ?? '')

  expect(await (await house.streams.segment(segmentOf('regular'))).read()).toEqual(first)
})
