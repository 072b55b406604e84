import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { sandboxPolicy } from '../../lib/text/media-types.ts'
import { createEdge } from './edge.ts'

const base = 'https://cdn.example'
const zoneHost = 'https://img.acme.example'

async function setUp({ headers = '', redirects = '' } = {}) {
  const world = new PublishedWorld()
  await world.publish('acme/v1/pages/p.html', '<script>1</script>')
  await world.publish('acme/v1/pages/worker.js', 'self.x = 1')
  await world.publish('acme/v1/logos/a.png', 'picture')
  await world.publish('acme/v1/logos/hidden.txt', 'hidden')
  world.putDomain('img.acme.example', 'acme')
  if (headers !== '') world.putRules('_headers', headers)
  if (redirects !== '') world.putRules('_redirects', redirects)
  const edge = createEdge({ manifest: world, blobs: world.blobs, settings: { baseUrl: base } })
  const get = async (url: string, init?: RequestInit) =>
    edge.fetch(new Request(new URL(url, base), { redirect: 'manual', ...init }))
  return { world, get }
}

const page = '/acme/v1/pages/p.html'
const policyOf = ({ headers }: Response) => headers.get('content-security-policy')

test.each([
  ['takes it away', '! Content-Security-Policy', sandboxPolicy],
  [
    'puts another in its place',
    "Content-Security-Policy: script-src 'unsafe-inline'",
    `${sandboxPolicy}, script-src 'unsafe-inline'`,
  ],
  [
    'allows scripts in a sandbox',
    'Content-Security-Policy: sandbox allow-scripts allow-same-origin',
    `${sandboxPolicy}, sandbox allow-scripts allow-same-origin`,
  ],
] as const)('on our own host a page keeps its sandbox where a rule %s', async (...row) => {
  const [, line, policy] = row
  const { get } = await setUp({ headers: `/*\n ${line}` })
  for (const init of [{}, {}, { method: 'HEAD' }, { headers: { Range: 'bytes=0-3' } }])
    expect(policyOf(await get(page, init))).toBe(policy)
})

test.each([
  'Content-Type: text/html',
  'Content-Type: text/plain, text/html',
  'Content-Type: multipart/x-mixed-replace; boundary=x',
  'Content-Type: message/rfc822',
  '! Content-Type',
])('on our own host a picture that a rule makes a page is boxed in: %s', async (line) => {
  const { get } = await setUp({ headers: `/*\n ${line}` })
  expect(policyOf(await get('/acme/v1/logos/a.png'))).toBe(sandboxPolicy)
})

test.each(['multipart/x-mixed-replace; boundary=x', 'text/rdf', 'image/svg-xml', 'message/rfc822'])(
  'a stored type that is not known to be harmless is boxed in: %s',
  async (contentType) => {
    const { get, world } = await setUp()
    await world.publish('acme/v1/pages/odd', 'x', { contentType })
    expect(policyOf(await get('/acme/v1/pages/odd'))).toBe(sandboxPolicy)
  },
)

test.each([
  'Set-Cookie: cdn_session=x; Path=/dashboard/',
  'Set-Cookie: cdn_session =x',
  'Set-Cookie: =cdn_session=x',
  'Set-Cookie: cdn_session',
  'Service-Worker-Allowed: /',
  'Clear-Site-Data: "*"',
  'Strict-Transport-Security: max-age=9',
  'NEL: {"report_to":"x","max_age":9}',
  'Report-To: {}',
  'Alt-Svc: h2="evil.example:443"',
])(
  'a rule cannot reach beyond its answer on our own host, on a zone’s own it may: %s',
  async (line) => {
    const [name = ''] = line.split(':')
    const { get } = await setUp({ headers: `/*\n ${line}\n X: 1`, redirects: '/old /new' })
    for (const address of [page, '/acme/v1/logos/a.png', '/none', '/old', '/clients/acme/v1/x']) {
      const { headers } = await get(address)
      expect([headers.get('x'), headers.get(name)]).toEqual(['1', null])
    }
    expect((await get(`${zoneHost}/v1/logos/a.png`)).headers.has(name)).toBeTrue()
  },
)

test('other cookies are a rule’s to set, and types are never guessed', async () => {
  const { get } = await setUp({
    headers: '/*\n Set-Cookie: shown=1\n Set-Cookie: cdn_session=x\n ! X-Content-Type-Options',
  })
  const { headers } = await get('/acme/v1/logos/a.png')
  expect(headers.getSetCookie()).toEqual(['shown=1'])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('on its own host a zone’s rules may take the sandbox off', async () => {
  const { get } = await setUp({ headers: '/acme/*\n ! Content-Security-Policy' })
  expect(policyOf(await get(`${zoneHost}/v1/pages/p.html`))).toBeNull()
  expect(policyOf(await get(`${zoneHost}${page}`))).toBeNull()
  expect(policyOf(await get(page))).toBe(sandboxPolicy)
})

test('a service worker is not taken from our own host, hot or not, and is from a zone’s own', async () => {
  const { get } = await setUp()
  const worker = '/acme/v1/pages/worker.js'
  const asWorker = { headers: { 'Service-Worker': 'script' } }
  const outcomes = []
  for (const init of [asWorker, {}, {}, asWorker, { ...asWorker, method: 'HEAD' }, {}])
    outcomes.push((await get(worker, init)).status)
  expect(outcomes).toEqual([403, 200, 200, 403, 403, 200])
  expect((await get(`${zoneHost}/v1/pages/worker.js`, asWorker)).status).toBe(200)
  expect((await get(`${zoneHost}/v1/pages/worker.js`, asWorker)).status).toBe(200)
})

test.each([
  '/acme/v1/logos/hidden.txt',
  '/@c0ffee0/acme/v1/logos/hidden.txt',
  `${zoneHost}/v1/logos/hidden.txt`,
  `${zoneHost}/acme/v1/logos/hidden.txt`,
  `${zoneHost}/@c0ffee0/v1/logos/hidden.txt`,
  `${zoneHost}/@c0ffee0/acme/v1/logos/hidden.txt`,
])('a rule for an asset holds however it is addressed: %s', async (address) => {
  const headers = '/acme/v1/*\n X: 1'
  expect((await (await setUp({ headers })).get(address)).headers.get('x')).toBe('1')
  const gone = '/acme/v1/logos/hidden.txt /acme/v1/logos/a.png 410'
  expect((await (await setUp({ redirects: gone })).get(address)).status).toBe(410)
  const moved = '/acme/v1/logos/hidden.txt /acme/v1/logos/a.png 301'
  const { status, headers: answered } = await (await setUp({ redirects: moved })).get(address)
  expect([status, answered.get('location')]).toEqual([301, '/acme/v1/logos/a.png'])
})

test('a rule for a zone’s own address holds for the longer one there, and not elsewhere', async () => {
  const { get } = await setUp({ headers: '/v1/logos/*\n X: 1' })
  expect((await get(`${zoneHost}/v1/logos/a.png`)).headers.get('x')).toBe('1')
  expect((await get(`${zoneHost}/acme/v1/logos/a.png`)).headers.get('x')).toBe('1')
  expect((await get('/acme/v1/logos/a.png')).headers.get('x')).toBeNull()
})

test('rules that send visitors to a zone’s own host do not send them round there', async () => {
  const { get } = await setUp({ redirects: `/acme/v1/* ${zoneHost}/v1/:splat 301` })
  const sent = await get('/acme/v1/logos/a.png')
  expect([sent.status, sent.headers.get('location')]).toEqual([301, `${zoneHost}/v1/logos/a.png`])
  expect((await get(`${zoneHost}/v1/logos/a.png`)).status).toBe(200)
})

test('a rule to the own host by its name is no way to another one', async () => {
  const { get } = await setUp({ redirects: `/old/* ${base}/:splat 301` })
  const location = async (address: string) => (await get(address)).headers.get('location')
  expect(await location('/old//evil.example/x')).toBe('/evil.example/x')
  expect(await location('/old/\\evil.example/x')).toBe('/evil.example/x')
  expect(await location('/old/logos/a.png?x=//y')).toBe('/logos/a.png?x=//y')
})
