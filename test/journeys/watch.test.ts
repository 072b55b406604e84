import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openInProcess } from '../support/in-process-service.ts'

const media = join(import.meta.dir, '..', 'fixtures', 'media')

test('a video is stored, listed as a stream, cut into segments and has its page', async () => {
  await using service = await openInProcess()
  await service.createZone('films')
  const [name] = [...new Bun.Glob('*.mp4').scanSync(media)].toSorted()
  const body = await Bun.file(join(media, name ?? '')).bytes()
  await service.storage('PUT', 'films/v1/banners/film.mp4', { body })

  const master = await service.fetch('/api/stream?path=films/v1/banners/film.mp4')
  expect(master.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  const text = await master.text()
  expect(text).toContain('#EXT-X-STREAM-INF')
  const url = text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? ''
  const playlist = await service.fetch(
    new URL(url, 'http://x/api/stream').href.slice('http://x'.length),
  )
  const segments = (await playlist.text())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(segments.length).toBeGreaterThan(0)
  const segment = await service.fetch(
    new URL(segments[0] ?? '', 'http://x/api/stream').href.slice('http://x'.length),
  )
  expect(segment.status).toBe(200)
  expect((await segment.bytes()).length).toBeGreaterThan(100)

  const page = await service.fetch('/watch?path=films/v1/banners/film.mp4')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect((await service.fetch('/watch/watch.js')).headers.get('content-type')).toContain(
    'javascript',
  )
})

test('a zone may be called watch', async () => {
  await using service = await openInProcess()
  await service.createZone('watch')
  await service.storage('PUT', 'watch/v1/logos/a.txt', { body: 'a' })

  expect(await (await service.fetch('/watch/v1/logos/a.txt')).text()).toBe('a')
})
