import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const yearLong = 'public, max-age=31536000, immutable'

interface World extends AsyncDisposable {
  readonly service: InProcessService
  /** The id of the commit. */
  readonly put: (path: string, body: string, headers?: Record<string, string>) => Promise<string>
  readonly remove: (path: string) => Promise<string>
  /** What git has at `commit:path`; `undefined` where it has nothing. */
  readonly gitShow: (commit: string, path: string) => Promise<Buffer | undefined>
  readonly history: (setting: string, zone?: string) => Promise<void>
}

async function openWorld(): Promise<World> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const data = join(directory.path, 'pinned')
  const service = opening.use(
    await openInProcess({ environment: { DATA_DIR: data, HISTORY_PER_MINUTE: '1000000' } }),
  )
  await service.createZone('acme')
  const repository = join(data, 'repository.git')
  const git = async (...args: string[]) => {
    const child = Bun.spawn(['git', `--git-dir=${repository}`, ...args], { stderr: 'ignore' })
    const bytes = Buffer.from(await new Response(child.stdout).arrayBuffer())
    return (await child.exited) === 0 ? bytes : undefined
  }
  const head = async () => (await git('rev-parse', 'main'))?.toString().trim() ?? ''
  const opened = opening.move()
  return {
    service,
    async put(path, body, headers = {}) {
      const response = await service.storage('PUT', path, { body, headers })
      expect(response.status).toBe(201)
      return await head()
    },
    async remove(path) {
      expect((await service.storage('DELETE', path)).status).toBe(200)
      return await head()
    },
    gitShow: (commit, path) => git('show', `${commit}:clients/${path}`),
    async history(setting, zone = 'acme') {
      const response = await service.core('PATCH', `zones/${zone}`, { History: setting })
      expect(response.status).toBe(200)
      expect(((await response.json()) as { History: string }).History).toBe(setting)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const icon = 'acme/v1/icons/a.svg'
const svg = (word: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${word}</title></svg>`

test('what a commit had is answered for ever, also after it was overwritten and deleted', async () => {
  await using world = await openWorld()
  const { service, put, remove, history } = world
  const first = await put(icon, svg('one'))
  const second = await put(icon, svg('two'))
  const third = await remove(icon)
  await history('public')

  for (const [commit, word] of [
    [first, 'one'],
    [second, 'two'],
  ] as const) {
    for (const name of [commit, commit.slice(0, 12), commit.slice(0, 7)]) {
      const response = await service.fetch(`/@${name}/${icon}`)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(svg(word))
      expect(response.headers.get('cache-control')).toBe(yearLong)
      expect(response.headers.get('content-type')).toBe('image/svg+xml')
    }
  }
  expect((await service.fetch(`/@${third}/${icon}`)).status).toBe(404)
  expect((await service.fetch(`/${icon}`)).status).toBe(404)
  expect((await service.fetch(`/@${'f'.repeat(40)}/${icon}`)).status).toBe(404)
  expect((await service.fetch(`/@${first.slice(0, 6)}/${icon}`)).status).toBe(404)
  expect((await service.fetch(`/@main/${icon}`)).status).toBe(404)
  expect((await service.fetch(`/@${first}/acme/v1/icons/never.svg`)).status).toBe(404)
})

test('a pinned file has HEAD, ranges, conditions and codings as a live one', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const body = svg('one '.repeat(1000))
  const commit = await put(icon, body)
  await put(icon, svg('two'))
  await history('public')
  const url = `/@${commit}/${icon}`
  const whole = await service.fetch(url)
  const etag = whole.headers.get('etag') ?? ''

  expect((await service.fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(
    String(body.length),
  )
  const part = await service.fetch(url, { headers: { Range: 'bytes=0-3' } })
  expect([part.status, await part.text()]).toEqual([206, '<svg'])
  expect((await service.fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  expect((await service.fetch(url, { headers: { 'If-Match': '"other"' } })).status).toBe(412)
  expect((await service.fetch(url, { method: 'POST' })).status).toBe(405)
  const coded = await service.fetch(url, { headers: { 'Accept-Encoding': 'br' } })
  expect(coded.headers.get('content-encoding')).toBe('br')
  const hot = await service.fetch(url)
  expect(hot.headers.get('cache-status')).toContain('hit')
  expect(await hot.text()).toBe(body)
})

test('without an open history only the newest commit of a file is a name of it', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const first = await put(icon, svg('one'))
  const second = await put(icon, svg('two'))
  const statuses = async () =>
    Promise.all([first, second].map(async (id) => (await service.fetch(`/@${id}/${icon}`)).status))

  expect(await statuses()).toEqual([404, 200])
  await history('signed')
  expect(await statuses()).toEqual([404, 200])
  await history('public')
  expect(await statuses()).toEqual([200, 200])
  await history('off')
  expect(await statuses()).toEqual([404, 200])
})

test('the media type is the one that held then, and so are the bytes behind it', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const path = 'acme/v1/data/report.bin'
  const first = await put(path, 'a', { 'Content-Type': 'text/plain; charset=utf-8' })
  const second = await put(path, 'b')
  const third = await put(path, 'c', { 'Content-Type': 'application/json' })
  await put(path, 'd')
  await history('public')
  const typeAt = async (id: string) =>
    (await service.fetch(`/@${id}/${path}`)).headers.get('content-type')

  expect(await typeAt(first)).toBe('text/plain; charset=utf-8')
  expect(await typeAt(second)).toBe('application/octet-stream')
  expect(await typeAt(third)).toBe('application/json')
})

test('a moment leads to the commit of that moment', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const commit = await put(icon, svg('one'))
  const at = (moment: string, more = '') =>
    service.fetch(`/${icon}?${more}at=${encodeURIComponent(moment)}`, { redirect: 'manual' })
  expect((await at('2100-01-01T00:00:00Z')).status).toBe(200)
  await history('public')
  const newest = await at('2100-01-01T00:00:00Z', 'x=1&')

  expect(newest.status).toBe(307)
  expect(newest.headers.get('location')).toMatch(/^\/@[0-9a-f]{40}\/acme\/v1\/icons\/a\.svg\?x=1$/u)
  expect(await (await service.fetch(newest.headers.get('location') ?? '')).text()).toBe(svg('one'))
  expect((await at('2001-01-01T00:00:00+01:00')).status).toBe(404)
  expect((await at('yesterday')).status).toBe(400)
  expect(commit).toHaveLength(40)
})

test('what is private, suspended or expired now is so for every commit', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const secret = 'acme/v1/private/a.txt'
  const commit = await put(secret, 'secret')
  await put(icon, svg('one'))
  const last = await put('acme/v1/icons/b.svg', svg('two'))
  await history('public')
  const status = async (url: string) => (await service.fetch(url)).status

  expect(await status(`/@${commit}/${secret}`)).toBe(404)
  expect(await status(`/@${last}/${secret}`)).toBe(404)
  expect(await status(`/@${last}/${icon}`)).toBe(200)
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  expect(await status(`/@${last}/${icon}`)).toBe(403)
  await service.core('PATCH', 'zones/acme', { Suspended: false })
  expect(await status(`/@${last}/${icon}`)).toBe(200)
  await service.core('PATCH', 'zones/acme', { Enabled: false })
  expect(await status(`/@${last}/${icon}`)).toBe(404)
  await service.core('PATCH', 'zones/acme', { Enabled: true })
  expect(await status(`/@${last}/acme/v1/icons/.keep`)).toBe(404)
  expect(await status(`/@${last}/acme/zone.json`)).toBe(404)
})

test('nothing of a former zone of the name is seen, whatever commit is named', async () => {
  await using world = await openWorld()
  const { service, put, history } = world
  const former = await put(icon, svg('theirs'))
  await history('public')
  expect((await service.fetch(`/@${former}/${icon}`)).status).toBe(200)
  await service.core('DELETE', 'zones/acme')
  await service.createZone('acme')
  const ours = await put(icon, svg('ours'))
  await history('public')

  expect((await service.fetch(`/@${former}/${icon}`)).status).toBe(404)
  expect(await (await service.fetch(`/@${ours}/${icon}`)).text()).toBe(svg('ours'))
})

test('a network looks up so much in a minute, and what is known stays free', async () => {
  await using service = await openInProcess({ environment: { HISTORY_PER_MINUTE: '2' } })
  await service.createZone('acme')
  await service.storage('PUT', icon, { body: svg('one') })
  const { Commit } = (await (
    await service.core('PATCH', 'zones/acme', { History: 'public' })
  ).json()) as { Commit?: string }
  expect(Commit).toBeUndefined()
  const ask = (digits: string, peer: string) => service.fetch(`/@${digits}/${icon}`, {}, peer)

  expect((await ask('a'.repeat(40), '203.0.113.1')).status).toBe(404)
  expect((await ask('b'.repeat(40), '203.0.113.1')).status).toBe(404)
  const refused = await ask('c'.repeat(40), '203.0.113.1')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  expect((await ask('a'.repeat(40), '203.0.113.1')).status).toBe(404)
  expect((await ask('c'.repeat(40), '203.0.113.2')).status).toBe(404)
})

const fullRun = process.env['PINNED_COMMITS']
const commitCount = Number(fullRun ?? 40)

test(
  `every file of each of ${commitCount} random commits is what git has there`,
  async () => {
    const random = createRandom(seedOf('pinned'))
    await using world = await openWorld()
    const { service, put, remove, gitShow, history } = world
    const paths = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? `acme/v1/icons/${index}.svg`
        : `acme/v1/deep/er/${index % 4}/ü ${index}.txt`,
    ) as [string, ...string[]]
    const stored = new Set<string>()
    const commits: string[] = []
    while (commits.length < commitCount) {
      const path = random.pick(paths)
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      if (stored.has(path) && random.next() < 0.3) {
        stored.delete(path)
        commits.push(await remove(encoded))
      } else {
        stored.add(path)
        commits.push(await put(encoded, `${svg('x')}${random.integer(0, 1000)}`))
      }
    }
    await history('public')
    for (const commit of commits)
      for (const path of paths) {
        const expected = await gitShow(commit, path)
        const url = `/@${commit}/${path.split('/').map(encodeURIComponent).join('/')}`
        const response = await service.fetch(url)
        const found = response.status === 200 ? await response.text() : undefined
        expect({ url, status: response.status, found }).toEqual({
          url,
          status: expected === undefined ? 404 : 200,
          found: expected?.toString(),
        })
      }
  },
  { timeout: 600_000 },
)

test(
  'a preview shows what git has at its branch after each of many random writes, and live its own',
  async () => {
    const random = createRandom(seedOf('previewed'))
    await using world = await openWorld()
    const { service, gitShow } = world
    const paths = Array.from({ length: 5 }, (_, index) => `acme/v1/data/${index}.txt`) as [
      string,
      ...string[],
    ]
    for (const path of paths.slice(0, 3)) await world.put(path, 'live')
    await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
    const branch = 'refs/heads/preview/acme/spring'
    const shown = async (url: string) => {
      const response = await service.fetch(url)
      return response.status === 404 ? undefined : await response.text()
    }
    for (let write = 0; write < 60; write += 1) {
      const path = random.pick(paths)
      const headers = random.next() < 0.7 ? { 'Sedge-Preview': 'spring' } : {}
      if (random.next() < 0.3) await service.storage('DELETE', path, { headers })
      else await service.storage('PUT', path, { headers, body: `write ${write}` })
      for (const each of paths) {
        expect(await shown(`/@~spring/${each}`)).toBe((await gitShow(branch, each))?.toString())
        expect(await shown(`/${each}`)).toBe((await gitShow('main', each))?.toString())
      }
    }
  },
  { timeout: 120_000 },
)
