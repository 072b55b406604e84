import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { type World as Furnished, worldOf } from '../support/world.ts'

const photo = 'acme/v1/photos/photo.png'
const secret = 'acme/v1/private/photo.png'
const film = 'acme/v1/films/film.mp4'
const limitMs = 60_000

interface World extends AsyncDisposable {
  readonly service: LocalService
  readonly world: Furnished
  /** The newest commit. */
  readonly head: () => Promise<string>
  readonly zone: (settings: object) => Promise<void>
}

const image = async (width: number) =>
  new Uint8Array(
    await sharp({ create: { width, height: 20, channels: 3, background: '#246' } })
      .png()
      .toBuffer(),
  )

/** A zone with an open history, of which everything was overwritten once. */
async function openWorld(): Promise<World & { readonly commit: string }> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const service = opening.use(
    await openLocalService({
      dataDirectory: join(directory.path, 'data'),
      environment: { LFS_ABOVE_MB: '1', IDLE_WORK: 'none', SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
  const world = worldOf(service)
  const head = async () => {
    const url = `${service.url}/api/core/zones/acme/history?limit=1`
    const { Commits } = (await (await fetch(url, { headers: account })).json()) as {
      readonly Commits: readonly { readonly Commit: string }[]
    }
    return Commits[0]?.Commit ?? ''
  }
  const zone = async (settings: object) =>
    void (await world.client.updateZone({ id: 'acme', body: settings }))
  await world.zone('acme')
  await zone({ History: 'public' })
  for (const path of [photo, secret]) await world.put(path, await image(30))
  await world.put(film, Bun.file('test/fixtures/media/regular.mp4'))
  const commit = await head()
  for (const path of [photo, secret]) await world.put(path, await image(50))
  await world.put(film, 'no film any more')
  const opened = opening.move()
  return { service, world, head, zone, commit, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function signed(path: string): string {
  const expires = String(Math.floor(Date.now() / 1000) + 600)
  const sig = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `path=${encodeURIComponent(path)}&expires=${expires}&sig=${sig}`
}

/** Every way to ask for something of a commit, with the status of each. */
async function statuses({ service }: World, commit: string): Promise<readonly number[]> {
  const named = encodeURIComponent(`/@${commit}/${photo}`)
  const urls = [
    `/@${commit}/${photo}`,
    `/api/transform?url=${named}&w=10`,
    `/api/auto?path=@${commit}/acme/v1/photos/photo`,
    `/api/stream?path=@${commit}/${film}`,
    `/api/signed?${signed(`@${commit}/${photo}`)}`,
    `/api/stream?${signed(`@${commit}/${film}`)}`,
  ]
  return await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(service.url + url)
      await response.body?.cancel()
      return response.status
    }),
  )
}

const all = (status: number): readonly number[] => Array.from({ length: 6 }, () => status)

test(
  'a file of a commit that has expired, is suspended or disabled now, is so at every address of it',
  async () => {
    await using world = await openWorld()
    const { commit, zone } = world
    expect(await statuses(world, commit)).toEqual(all(200))
    await zone({ Suspended: true })
    expect(await statuses(world, commit)).toEqual(all(403))
    await zone({ Suspended: false, Enabled: false })
    expect(await statuses(world, commit)).toEqual(all(404))
    await zone({ Enabled: true })
    expect(await statuses(world, commit)).toEqual(all(200))
    const { describeAsset } = world.world.client
    for (const path of [photo, film])
      await describeAsset({ path, body: { Expires: new Date(Date.now() - 1_000).toISOString() } })
    expect(await statuses(world, commit)).toEqual(all(410))
    for (const path of [photo, film]) await describeAsset({ path, body: { Expires: null } })
    expect(await statuses(world, commit)).toEqual(all(200))
  },
  limitMs,
)

test(
  'an end of then is none now, and an end of now is told in what is sent of a commit',
  async () => {
    await using world = await openWorld()
    const { service, head, commit } = world
    const { describeAsset } = world.world.client
    await describeAsset({
      path: photo,
      body: { Expires: new Date(Date.now() + 600_000).toISOString() },
    })
    const ending = await head()
    const cachingOf = async (id: string) =>
      (await fetch(`${service.url}/@${id}/${photo}`)).headers.get('cache-control')
    expect(await cachingOf(ending)).toBe('public, no-cache')
    expect(await cachingOf(commit)).toBe('public, no-cache')
    await describeAsset({ path: photo, body: { Expires: null } })

    service.wait(3_600_000)
    expect(await cachingOf(ending)).toContain('immutable')
    expect(await cachingOf(commit)).toContain('immutable')
  },
  limitMs,
)

test(
  'what rules withhold or redirect now, and what is private, is so in every commit',
  async () => {
    await using world = await openWorld()
    const { service, commit } = world
    const status = async (url: string) =>
      (await fetch(service.url + url, { redirect: 'manual' })).status
    const open = [
      `/@${commit}/${photo}`,
      `/%40${commit}/${photo}`,
      `/@${commit}//${photo}`,
      `/@${commit.slice(0, 8)}/${photo}`,
      `/api/transform?url=${encodeURIComponent(`/@${commit}/${photo}`)}&w=10`,
      `/api/auto?path=@${commit}/acme/v1/photos/photo`,
    ]
    expect(await Promise.all(open.map(status))).toEqual([200, 307, 307, 200, 200, 200])
    await world.world.rules('_redirects', '/acme/v1/photos/* /acme/v1/none.txt 404\n')
    const withheld = await Promise.all(open.map(status))
    expect(withheld.filter((each) => each === 200)).toEqual([])
    await world.world.rules('_redirects', '/acme/v1/photos/* /elsewhere/:splat 302\n')
    expect(await status(open[0] ?? '')).toBe(302)
    await world.world.rules('_redirects', '')
    expect(await status(open[0] ?? '')).toBe(200)

    const hidden = encodeURIComponent(`/@${commit}/${secret}`)
    expect(await status(`/@${commit}/${secret}`)).toBe(404)
    expect(await status(`/api/transform?url=${hidden}`)).toBe(404)
    expect(await status(`/api/auto?path=@${commit}/acme/v1/private/photo`)).toBe(404)
    const shown = await fetch(`${service.url}/api/signed?${signed(`@${commit}/${secret}`)}`)
    expect(shown.headers.get('cache-control')).toContain('private')
    expect((await sharp(await shown.bytes()).metadata()).width).toBe(30)
  },
  limitMs,
)

test(
  'a large file, of which the repository has a pointer, is had as a commit has it',
  async () => {
    await using world = await openWorld()
    const { service, head } = world
    const path = 'acme/v1/films/large.bin'
    const editions = ['a', 'b'].map((seed) => seed.repeat(2_500_000))
    await world.world.put(path, editions[0] ?? '')
    const first = await head()
    await world.world.put(path, editions[1] ?? '')
    const second = await head()
    await world.world.client.deleteFile({ path })

    for (const [index, commit] of [first, second].entries()) {
      const url = `${service.url}/@${commit}/${path}`
      expect(await (await fetch(url)).text()).toBe(editions[index] ?? '')
      const part = await fetch(url, { headers: { Range: 'bytes=2499990-' } })
      expect([part.status, await part.text()]).toEqual([206, editions[index]?.slice(-10) ?? ''])
      expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe('2500000')
    }
  },
  limitMs,
)
