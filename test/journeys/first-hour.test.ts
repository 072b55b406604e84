import { expect, test } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { sedge } from '../support/sedge-command.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read by name and compared whole
async function json(response: Promise<Response> | Response): Promise<any> {
  return await (await response).json()
}

const nouns = [
  'activity',
  'arrow',
  'badge',
  'bell',
  'book',
  'camera',
  'cloud',
  'house',
  'leaf',
  'map',
]
const ways = ['', 'up', 'down', 'left', 'right']
const marks = ['', 'plus', 'minus', 'check', 'off', 'star']
const numbers = ['', '2', '3', '4', '5']

/** SVGs with the names that sets of icons have, no two alike. */
async function drawIcons(target: string): Promise<readonly string[]> {
  const words = [nouns, ways, marks, numbers].reduce<readonly string[][]>(
    (begun, next) => begun.flatMap((name) => next.map((word) => [...name, word])),
    [[]],
  )
  const names = words.map((name) => `${name.filter(Boolean).join('-')}.svg`).toSorted()
  await mkdir(target)
  for (const [index, name] of names.entries())
    await Bun.write(
      join(target, name),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M${index % 24} 2v${1 + (index % 21)}l${index}-9"/></svg>\n`,
    )
  return names
}

/** Everything a client can see, asked the same way before and after a restart. */
async function responsesOf({ url }: ServiceProcess) {
  const list = (query: string) => json(fetch(`${url}/api/assets?${query}`, { headers: access }))
  const [page, words, zone] = await Promise.all([
    list('project=lucide&per_page=200&page=3&sort=size&order=desc'),
    list('project=lucide&q=arrow%20up&per_page=200'),
    json(fetch(`${url}/api/core/zones/lucide`, { headers: account })),
  ])
  const served = await fetch(`${url}/lucide/v1/icons/activity.svg`)
  const { DateFetched: _page, ...pageRest } = page
  const { DateFetched: _words, ...wordsRest } = words
  const { OriginUrl: _origin, ...zoneRest } = zone
  return {
    page: pageRest,
    words: wordsRest,
    zone: zoneRest,
    etag: served.headers.get('etag'),
    body: await served.text(),
  }
}

test('a newcomer’s first hour: zone, import, find, change, serve, restart', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const icons = join(directory.path, 'icons')
  const names = await drawIcons(icons)
  let service = await startService({ dataDirectory })
  await using running = new AsyncDisposableStack()
  running.defer(() => service[Symbol.asyncDispose]())
  const at = (path: string) => `${service.url}${path}`

  // A zone with its five directories.
  const created = await json(
    fetch(at('/api/core/zones'), { method: 'POST', headers: account, body: '{"Name":"lucide"}' }),
  )
  expect(created).toMatchObject({
    HttpCode: 201,
    Id: 'lucide',
    Directories: ['banners', 'github', 'icons', 'logos', 'titles'],
    EdgeStatus: 'pending',
  })

  // 1,500 files, from the command line; a second run finds nothing to do.
  const importArgs = [
    'import',
    icons,
    '--zone',
    'lucide',
    '--category',
    'icons',
    '--url',
    service.url,
  ]
  const first = await sedge(importArgs)
  expect(first.error).toContain(`storing: ${names.length}/${names.length} files`)
  expect(first).toMatchObject({ exitCode: 0 })
  const second = await sedge(importArgs)
  expect(second.out).toContain(`${names.length} files in zone "lucide", all checksums agree`)
  expect(second.error).not.toContain('storing')

  // Listed, filtered, searched; totals are exact.
  const all = await json(fetch(at('/api/assets?project=lucide&per_page=1'), { headers: access }))
  expect(all.Pagination).toMatchObject({ TotalItems: names.length, TotalPages: names.length })
  const found = await json(fetch(at('/api/assets?q=arrow%20UP&per_page=200'), { headers: access }))
  const expected = names.filter((name) => name.includes('arrow') && name.includes('up'))
  expect(found.Data.map((item: { Name: string }) => item.Name)).toEqual(expected.toSorted())

  // Downloaded as it was stored, from storage and from the edge.
  const original = await Bun.file(join(icons, 'activity.svg')).text()
  const stored = await fetch(at('/api/storage/lucide/v1/icons/activity.svg'), { headers: access })
  expect(stored.headers.get('checksum')).toBe(sha256(original))
  expect(await stored.text()).toBe(original)
  const served = await fetch(at('/lucide/v1/icons/activity.svg'))
  expect(served.headers.get('content-type')).toContain('image/svg+xml')
  expect(served.headers.get('x-request-id')).toBeNull()
  expect(await served.text()).toBe(original)
  const etag = served.headers.get('etag') ?? ''
  const unchanged = await fetch(at('/lucide/v1/icons/activity.svg'), {
    headers: { 'If-None-Match': etag },
  })
  expect(unchanged.status).toBe(304)

  // Overwritten: the edge serves the new bytes as soon as the write is answered.
  const overwritten = await json(
    fetch(at('/api/storage/lucide/v1/icons/activity.svg'), {
      method: 'PUT',
      headers: { ...access, Checksum: sha256('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }),
  )
  expect(overwritten).toMatchObject({ HttpCode: 201, EdgeStatus: 'purging' })
  expect(await (await fetch(at('/lucide/v1/icons/activity.svg'))).text()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  )

  // Deleted: gone everywhere.
  const gone = names[7] ?? ''
  const deleted = await json(
    fetch(at(`/api/storage/lucide/v1/icons/${gone}`), { method: 'DELETE', headers: access }),
  )
  expect(deleted).toMatchObject({ HttpCode: 200, EdgeStatus: 'purging' })
  expect((await fetch(at(`/lucide/v1/icons/${gone}`))).status).toBe(404)

  // Restarted: the same answers, and git has it all.
  const before = await responsesOf(service)
  expect(await service.stop()).toBe(0)
  service = await startService({ dataDirectory })
  expect(await responsesOf(service)).toEqual(before)
  const clone = join(directory.path, 'clone')
  const cloned = Bun.spawnSync(['git', 'clone', '-q', join(dataDirectory, 'repository.git'), clone])
  expect(cloned.exitCode).toBe(0)
  const files = await readdir(join(clone, 'clients', 'lucide', 'v1', 'icons'))
  expect(files.filter((name) => name.endsWith('.svg'))).toHaveLength(names.length - 1)
}, 120_000)

test('a push by somebody else is published like any other write', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  await using service = await startService({ dataDirectory })
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"acme"}',
  })
  const clone = join(directory.path, 'clone')
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', '-c', 'user.name=e', '-c', 'user.email=e@example.org', ...args], {
      cwd: clone,
    })
  Bun.spawnSync(['git', 'clone', '-q', join(dataDirectory, 'repository.git'), clone])
  await Bun.write(join(clone, 'clients/acme/v1/logos/pushed.txt'), 'pushed')
  git('add', '-A')
  git('commit', '-qm', 'Add a logo by hand')
  expect(git('push', '-q').exitCode).toBe(0)

  let body = ''
  const deadline = performance.now() + 10_000
  while (body !== 'pushed' && performance.now() < deadline) {
    const response = await fetch(`${service.url}/acme/v1/logos/pushed.txt`)
    body = response.ok ? await response.text() : ''
    if (body === '') await Bun.sleep(50)
  }
  expect(body).toBe('pushed')
}, 60_000)
