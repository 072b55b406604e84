import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { createS3Client, s3KeyFrom } from '../support/s3-client.ts'
import { access } from '../support/service-process.ts'

async function openWithZone(environment = {}): Promise<InProcessService> {
  const service = await openInProcess({ environment })
  await service.createZone('acme')
  return service
}

async function restore(service: InProcessService, body: unknown) {
  const response = await service.core('POST', 'zones/acme/restore', body)
  const said = (await response.json()) as Record<'Added' | 'Changed' | 'Removed', number>
  expect({ status: response.status, said }).toMatchObject({ status: 200 })
  return said
}

async function newest(service: InProcessService): Promise<string> {
  const response = await service.core('GET', 'zones/acme/history?limit=1')
  const { Commits } = (await response.json()) as { Commits: readonly { Commit: string }[] }
  return Commits[0]?.Commit ?? ''
}

const put = async (service: InProcessService, path: string, body: BodyInit) =>
  expect((await service.storage('PUT', path, { body })).status).toBe(201)

test('large files that git has pointers to come back, and are kept by pointers still', async () => {
  await using service = await openWithZone({ LFS_ABOVE_MB: '1' })
  const video = 'acme/v1/videos/a.bin'
  const large = (letter: string) => Buffer.alloc(1_200_000, letter)
  await put(service, video, large('a'))
  const then = await newest(service)
  await put(service, video, large('b'))
  await put(service, 'acme/v1/videos/b.bin', large('c'))
  expect(await restore(service, { Commit: then })).toMatchObject({ Changed: 1, Removed: 1 })

  const bytes = await (await service.fetch(`/${video}`)).bytes()
  expect(Buffer.compare(bytes, large('a'))).toBe(0)
  const later = await newest(service)
  expect(await restore(service, { Commit: later })).toMatchObject({ Changed: 0, Removed: 0 })
  const history = await service.fetch(`/api/assets/history?path=${video}`, { headers: access })
  expect(((await history.json()) as { Versions: unknown[] }).Versions).toHaveLength(3)
})

test('directories that clients of S3 put come back with what was said of them, and go again', async () => {
  await using service = await openWithZone()
  const s3 = createS3Client({
    credentials: await s3KeyFrom((path, init) => service.fetch(path, init)),
    send: (path, init) => service.fetch(path, init),
  })
  const directory = 'acme/photos/'
  const said = (note: string) => ({ 'Content-Length': '0', 'x-amz-meta-note': note })
  const wordsOf = async (object: string) => {
    const { status, headers } = await s3.head(object)
    return [status, headers.get('x-amz-meta-note')]
  }
  const empty = await newest(service)
  expect((await s3.put(directory, '', said('first'))).status).toBe(200)
  const then = await newest(service)
  await s3.put(directory, '', said('second'))
  await restore(service, { Commit: then })
  expect(await wordsOf(directory)).toEqual([200, 'first'])

  await s3.delete(directory)
  expect(await wordsOf(directory)).toEqual([404, null])
  await restore(service, { Commit: then, Prefix: 'v1/icons' })
  expect(await wordsOf(directory)).toEqual([404, null])
  await restore(service, { Commit: then, Prefix: 'v1/photos' })
  expect(await wordsOf(directory)).toEqual([200, 'first'])
  await restore(service, { Commit: empty })
  expect(await wordsOf(directory)).toEqual([404, null])
})

test('a zone that was deleted and made again goes back within its new life alone', async () => {
  await using service = await openWithZone()
  await put(service, 'acme/v1/a.txt', 'theirs')
  await service.core('DELETE', 'zones/acme')
  const between = new Date()
  // Commits have whole seconds: the next life begins in another one.
  while (Math.floor(Date.now() / 1000) <= Math.floor(between.getTime() / 1000)) await Bun.sleep(20)
  await service.createZone('acme')
  const born = await newest(service)
  await put(service, 'acme/v1/b.txt', 'ours')
  const refused = await service.core('POST', 'zones/acme/restore', { Time: between.toISOString() })

  expect(refused.status).toBe(404)
  expect(await restore(service, { Commit: born })).toMatchObject({ Added: 0, Removed: 1 })
  expect((await service.fetch('/acme/v1/a.txt')).status).toBe(404)
})

test('of two at once the zone is as the later one says, whole', async () => {
  await using service = await openWithZone()
  const paths = Array.from({ length: 12 }, (_, index) => `acme/v1/icons/${index}.txt`)
  const states: string[] = []
  for (const state of ['first', 'second', 'third']) {
    const files = paths.map((path) => ({ path, content: `${state} ${path}`, encoding: 'utf-8' }))
    await service.fetch('/api/storage/batch', {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files }),
    })
    states.push(await newest(service))
  }
  await Promise.all(states.slice(0, 2).map((Commit) => restore(service, { Commit })))
  const shown = await Promise.all(
    paths.map(async (path) => (await (await service.fetch(`/${path}`)).text()).split(' ')[0]),
  )

  expect(['first', 'second']).toContain(shown[0] ?? '')
  expect(new Set(shown).size).toBe(1)
  const subjects = await service.core('GET', 'zones/acme/history?limit=2')
  const { Commits } = (await subjects.json()) as { Commits: readonly { Subject: string }[] }
  const last = shown[0] === 'first' ? 0 : 1
  expect(Commits.map(({ Subject }) => Subject)).toEqual(
    [states[last], states[1 - last]].map((id) => `Restore acme/v1 as of ${id?.slice(0, 12)}`),
  )
})
