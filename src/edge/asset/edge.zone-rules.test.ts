import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { createEdge } from './edge.ts'

const base = 'https://cdn.example'
const own = 'https://assets.acme.example'
const logo = 'acme/v1/logos/a.png'
const other = 'globex/v1/logos/a.png'

interface Rules {
  readonly headers?: string
  readonly redirects?: string
}

async function setUp({ acme, ...common }: Rules & { readonly acme?: Rules }) {
  const world = new PublishedWorld()
  for (const path of [logo, other, 'acme/v1/logos/b.png', 'globex/v1/logos/b.png'])
    await world.publish(path, path)
  world.putZone('acme', acme)
  world.putDomain('assets.acme.example', 'acme')
  world.putRules('_headers', common.headers ?? '')
  world.putRules('_redirects', common.redirects ?? '')
  const edge = createEdge({
    manifest: world,
    feed: world,
    blobs: world.blobs,
    settings: { baseUrl: base },
    countryOf: (request) => request.headers.get('x-country') ?? 'XX',
  })
  const get = async (url: string, init?: RequestInit) =>
    edge.fetch(new Request(new URL(url, base), { redirect: 'manual', ...init }))
  const field = async (url: string, name: string) => (await get(url)).headers.get(name)
  const led = async (url: string, init?: RequestInit) => {
    const { status, headers } = await get(url, init)
    return [status, headers.get('location')]
  }
  return { world, get, field, led }
}

test('header rules of a zone hold on its own paths and host names, and nowhere else', async () => {
  const { field } = await setUp({ acme: { headers: '/v1/logos/*\n X-Own: :splat\n' } })

  expect(await field(`/${logo}`, 'x-own')).toBe('a.png')
  expect(await field(`${own}/v1/logos/a.png`, 'x-own')).toBe('a.png')
  expect(await field(`${own}/${logo}`, 'x-own')).toBe('a.png')
  expect(await field('/acme/v1/logos/none.png', 'x-own')).toBe('none.png')
  expect(await field(`/${other}`, 'x-own')).toBeNull()
  expect(await field('/', 'x-own')).toBeNull()
})

test('whatever a pattern of a zone is, it reaches no other zone', async () => {
  const rules = {
    headers: '/*\n X-Own: 1\n/globex/*\n X-Own: 1\nhttps://cdn.example/*\n X-Own: 1\n',
    redirects: '/globex/* https://evil.example/:splat\n/v1/go /globex/v1/logos/a.png 301\n',
  }
  const { field, get, led } = await setUp({ acme: rules })

  expect(await field(`/${other}`, 'x-own')).toBeNull()
  expect((await get(`/${other}`)).status).toBe(200)
  expect(await led('/acme/v1/go')).toEqual([301, '/acme/globex/v1/logos/a.png'])
  expect(await led(`${own}/globex/v1/logos/a.png`)).toEqual([
    302,
    'https://evil.example/v1/logos/a.png',
  ])
})

test('rules of a zone come after those of all, which they neither change nor take away', async () => {
  const { get } = await setUp({
    headers: '/*\n X-Policy: all\n ! X-Banned\n Cache-Control: no-store\n Cache-Tag: common\n',
    acme: {
      headers:
        '/*\n X-Policy: own\n ! Cache-Control\n X-Banned: 1\n X-More: own\n Cache-Tag: owns\n',
    },
  })
  const { headers } = await get(`/${logo}`)

  expect(headers.get('x-policy')).toBe('all')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-banned')).toBeNull()
  expect(headers.get('x-more')).toBe('own')
  expect(headers.get('cache-tag')).toContain('common')
  expect(headers.get('cache-tag')).toContain('owns')
})

test('a zone sets nothing on the host names of the service that would reach other zones', async () => {
  const { get } = await setUp({
    acme: {
      headers:
        '/*\n Set-Cookie: theme=dark\n Accept-CH: DPR\n Clear-Site-Data: "*"\n Content-Type: text/html\n X-Accel-Redirect: /etc/passwd\n',
    },
  })
  const shared = await get(`/${logo}`)
  const alone = await get(`${own}/v1/logos/a.png`)

  for (const name of ['set-cookie', 'accept-ch', 'clear-site-data'])
    expect([name, shared.headers.get(name)]).toEqual([name, null])
  expect(shared.headers.get('content-security-policy')).toContain('sandbox')
  expect(alone.headers.getSetCookie()).toEqual(['theme=dark'])
  for (const response of [shared, alone])
    expect(response.headers.has('x-accel-redirect')).toBe(false)
})

test('redirects of a zone are written below it, and lead below it at every host name', async () => {
  const { led } = await setUp({
    acme: { redirects: '/v1/old/* /v1/logos/:splat 301\n/shop https://shop.example/ 302\n' },
  })

  expect(await led('/acme/v1/old/a.png?x=1')).toEqual([301, '/acme/v1/logos/a.png?x=1'])
  expect(await led(`${own}/v1/old/a.png`)).toEqual([301, '/v1/logos/a.png'])
  expect(await led(`${own}/acme/v1/old/a.png`)).toEqual([301, '/v1/logos/a.png'])
  expect(await led('/acme/shop')).toEqual([302, 'https://shop.example/'])
  expect(await led(`${own}/shop`)).toEqual([302, 'https://shop.example/'])
  expect(await led('/shop')).toEqual([404, null])
})

test('what rules of all zones decide no rule of a zone is asked about', async () => {
  const { led, get } = await setUp({
    redirects: `/acme/v1/logos/b.png /${logo} 200\n/acme/v1/x https://all.example/\n`,
    acme: { redirects: '/v1/logos/b.png https://own.example/\n/v1/x https://own.example/\n' },
  })

  expect(await led('/acme/v1/x')).toEqual([302, 'https://all.example/'])
  expect(await (await get('/acme/v1/logos/b.png')).text()).toBe(logo)
})

test('a file that a zone has sent in place of another is its own', async () => {
  const { get } = await setUp({
    acme: {
      redirects:
        '/v1/logo.png /v1/logos/a.png 200\n/v1/theirs /globex/v1/logos/b.png 200\n/v1/up/* /v1/:splat 200\n',
    },
  })

  expect(await (await get('/acme/v1/logo.png')).text()).toBe(logo)
  expect(await (await get(`${own}/v1/logo.png`)).text()).toBe(logo)
  expect((await get('/acme/v1/theirs')).status).toBe(404)
  expect((await get('/acme/v1/up/%2e%2e/%2e%2e/globex/v1/logos/b.png')).status).toBe(404)
  expect((await get('/acme/v1/up/..%2f..%2fglobex/v1/logos/b.png')).status).toBe(404)
})

test('a rule that leads back to the very URL is passed over', async () => {
  const { led } = await setUp({ acme: { redirects: '/v1/* /v1/:splat 301\n' } })

  expect((await led(`/${logo}`))[0]).toBe(200)
  expect((await led(`${own}/v1/logos/a.png`))[0]).toBe(200)
})

test('rules of a suspended or switched off zone do nothing', async () => {
  const acme = { headers: '/*\n X-Own: 1\n', redirects: '/v1/go https://evil.example/\n' }
  const { world, led, field } = await setUp({ acme })
  expect(await led('/acme/v1/go')).toEqual([302, 'https://evil.example/'])

  world.putZone('acme', { ...acme, suspended: true })
  expect(await led('/acme/v1/go')).toEqual([403, null])
  expect(await field(`/${logo}`, 'x-own')).toBeNull()
  world.putZone('acme', { ...acme, enabled: false })
  expect(await led('/acme/v1/go')).toEqual([404, null])
})

test('a change of its rules is seen at once, and what depends on the client is never shared', async () => {
  const { world, field, led } = await setUp({ acme: { headers: '/v1/*\n X-Own: 1\n' } })
  expect(await field(`/${logo}`, 'x-own')).toBe('1')

  world.putZone('acme', {
    headers: '/v1/*\n X-Own: 2\n',
    redirects: '/v1/logos/b.png /v1/logos/a.png 302 Country=CH\n',
  })
  expect(await field(`/${logo}`, 'x-own')).toBe('2')
  const swiss = { headers: { 'X-Country': 'CH' } }
  expect(await led('/acme/v1/logos/b.png')).toEqual([200, null])
  expect(await led('/acme/v1/logos/b.png', swiss)).toEqual([302, '/acme/v1/logos/a.png'])
  expect(await field('/acme/v1/logos/b.png', 'cache-control')).toBe('private, no-cache')
  world.putZone('acme')
  expect(await field(`/${logo}`, 'x-own')).toBeNull()
})

test('how long its files are used without asking is for the zone to say', async () => {
  const { world, field } = await setUp({})
  const expected = 'public, max-age=60, stale-while-revalidate=600'
  expect(await field(`/${logo}`, 'cache-control')).toBe(expected)

  world.putZone('acme', { cacheSeconds: 3600 })
  expect(await field(`/${logo}`, 'cache-control')).toBe(
    'public, max-age=3600, stale-while-revalidate=600',
  )
  expect(await field(`/${other}`, 'cache-control')).toBe(expected)
  world.putZone('acme', { cacheSeconds: 0 })
  expect(await field(`/${logo}`, 'cache-control')).toBe('public, no-cache')
  world.putZone('acme', { cacheSeconds: 3600, headers: '/*\n Cache-Control: no-store\n' })
  expect(await field(`/${logo}`, 'cache-control')).toBe('no-store')
})
