import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import { createStreamingWorld } from '../../../../test/streaming/streaming-world.ts'
import { mediaPlaylist } from './media-playlist.ts'
import { playlistBounds } from './playlist-bounds.ts'
import type { Rendition } from '../presentation.ts'
import { rewriteStoredPlaylist } from './rewrite-playlist.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'

/** As long as paths may be, and three times as long in a URL. */
const longPath = `acme/v1/${`${'é'.repeat(120)}/`.repeat(4)}${'é'.repeat(20)}`
const asStored = { locate: (path: string, search: string) => path + search }
const stored = (lines: string, path = 'acme/v1/show/list.m3u8') =>
  rewriteStoredPlaylist(`#EXTM3U\n${lines}`, path, asStored)

const hostile: readonly (readonly [string, string, string, RegExp])[] = [
  ['short lines below a long path', 'a\n'.repeat(10_000), `${longPath}.m3u8`, /over 8 MiB/u],
  ['more addresses than any player takes', 'a\n'.repeat(20_001), 'a/v1/a.m3u8', /20000 addresses/u],
  [
    'as many in one tag',
    '#EXT-X-KEY:URI="a",URI="a"\n'.repeat(10_001),
    'a/v1/a.m3u8',
    /20000 addresses/u,
  ],
  ['nothing but line breaks', '\n'.repeat(200_000), 'a/v1/a.m3u8', /100000 lines/u],
  ['one endless line', 'ä'.repeat(100_000), 'a/v1/a.m3u8', /characters long/u],
]

for (const [what, lines, path, reason] of hostile)
  test(`a stored playlist of ${what} is refused`, async () => {
    const writing = stored(lines, path)

    expect(writing).rejects.toBeInstanceOf(UnstreamableMediaError)
    expect(writing).rejects.toThrow(reason)
  })

test('a stored playlist as long as is allowed is written whole', async () => {
  const names = Array.from({ length: playlistBounds.references }, (_, number) => `${number}.ts`)
  const text = await stored(names.map((name) => `#EXTINF:6,\n${name}\n`).join(''))

  expect(text.split('\n').filter((line) => line.startsWith('/acme/v1/show/'))).toHaveLength(20_000)
  expect(text).toEndWith('\n/acme/v1/show/19999.ts\n')
})

test('others have their turn while a long playlist is written', async () => {
  const others = { turns: 0, areDone: false }
  const writing = stored('a.ts\n'.repeat(20_000)).finally(() => {
    others.areDone = true
  })
  while (!others.areDone) {
    await setImmediate()
    others.turns += 1
  }
  await writing

  expect(others.turns).toBeGreaterThan(20)
})

test('a video with many single key frames below a long path has no such playlist', () => {
  const segments = Array.from({ length: 10_000 }, (_, from) => ({
    from,
    to: from + 1,
    start: from / 2,
    duration: 0.5,
  }))
  const rendition = { id: '90p-iframes', version: 'v', targetDuration: 1, segments } as const
  const written = (path: string) =>
    mediaPlaylist(rendition as unknown as Rendition, { path, suffix: '' })

  expect(() => written(longPath)).toThrow(/over 8 MiB/u)
  expect(written('acme/v1/films/long.mp4').length).toBeLessThan(playlistBounds.bytes)
})

test('however many ask for one stored playlist, it is read once', async () => {
  const house = createStreamingWorld()
  await house.store('acme/v1/show/list.m3u8', Buffer.from('#EXTM3U\na.ts\n'))
  let reads = 0
  const read = house.blobs.read.bind(house.blobs)
  house.blobs.read = (...given) => {
    reads += 1
    return read(...given)
  }
  const ask = () =>
    house.streams.playlist({ path: 'acme/v1/show/list.m3u8', quality: undefined, grant: undefined })
  await Promise.all(Array.from({ length: 20 }, ask))
  await ask()

  expect(reads).toBe(1)
})

test('a stored playlist that would become too large is refused with 422 and the field named', async () => {
  const house = createStreamingWorld()
  await house.store(`${longPath}.m3u8`, Buffer.from(`#EXTM3U\n${'a\n'.repeat(10_000)}`))
  const asking = house.streams.playlist({
    path: `${longPath}.m3u8`,
    quality: undefined,
    grant: undefined,
  })

  expect(asking).rejects.toMatchObject({ code: 'UnprocessableMedia', target: 'path' })
})
