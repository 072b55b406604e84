import { afterAll, beforeAll, expect, test } from 'bun:test'

import { plainText, sign } from '../../src/domain/access/signed-url.ts'
import { isHarmless } from '../../src/lib/text/media-types.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
let service: LocalService

const types = [
  'text/html',
  'TEXT/HTML',
  'image/svg+xml',
  'image/svg-xml',
  'application/xhtml+xml',
  'application/xml',
  'text/xml',
  'text/xsl',
  'text/rdf',
  'multipart/x-mixed-replace; boundary=x',
  'multipart/related',
  'message/rfc822',
  'application/dash+xml',
  'application/x-unheard-of',
  'image/png',
  'text/plain',
  'text/javascript',
]

const rules = [
  '/*',
  '  ! Content-Security-Policy',
  '  ! X-Content-Type-Options',
  '  Content-Security-Policy: script-src *',
  '  Service-Worker-Allowed: /',
].join('\n')

const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  const post = { method: 'POST', headers: account }
  await ask('/api/core/zones', { ...post, body: '{"Name":"acme"}' })
  const body = JSON.stringify({ File: '_headers', Content: rules })
  await ask('/api/core/rules', { ...post, body })
})
afterAll(() => opened.disposeAsync())

const page = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'

test.each(types.map((type, index) => [type, index] as const))(
  'whatever way a stored file of type %s is had at our own host, it cannot act there',
  async (type, index) => {
    const path = `acme/v1/logos/file-${index}`
    await ask(`/api/storage/${path}`, {
      method: 'PUT',
      headers: { ...access, 'Content-Type': type },
      body: page,
    })
    const history = await ask(`/api/assets/history?path=${path}`, { headers: access })
    const { Versions } = (await history.json()) as { Versions: readonly { Commit: string }[] }
    const commit = Versions[0]?.Commit ?? ''
    const expires = String(Math.floor(Date.now() / 1000) + 600)
    const sig = sign(plainText(path, expires), testKeys.SIGNED_URL_SECRET)
    const ways: [string, RequestInit?][] = [
      [`/${path}`],
      [`/${path}`, { method: 'HEAD' }],
      [`/${path}`, { headers: { Range: 'bytes=0-3' } }],
      [`/@${commit}/${path}`],
      [`/api/signed?path=${path}&expires=${expires}&sig=${sig}`],
      [`/api/storage/${path}`, { headers: access }],
      [`/api/assets/version?path=${path}&commit=${commit}`, { headers: access }],
    ]
    for (const [url, init] of ways) {
      const { status, headers } = await ask(url, init)
      const sentAs = headers.get('content-type') ?? ''
      const isBoxedIn = headers.get('content-security-policy')?.includes('; sandbox') === true
      expect([url, [200, 206].includes(status)]).toEqual([url, true])
      expect([url, isHarmless(sentAs) || isBoxedIn]).toEqual([url, true])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.has('service-worker-allowed')).toBeFalse()
    }
  },
)

test('nothing at our own host can be made a service worker', async () => {
  await ask('/api/storage/acme/v1/logos/worker.js', { method: 'PUT', headers: access, body: '1' })
  const asWorker = { ...access, 'Service-Worker': 'script' }
  for (const path of [
    '/acme/v1/logos/worker.js',
    '/acme/v1/logos/worker.js?v=1',
    '/api/storage/acme/v1/logos/worker.js',
    '/api/signed?path=acme/v1/logos/worker.js',
    '/none.js',
  ])
    expect([path, (await ask(path, { headers: asWorker })).status]).toEqual([path, 403])
})
