import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'

import { hostileRequest, type HostileRequest, wireOf } from '../fixtures/hostile-request.ts'
import { painted, quarters } from '../fixtures/sample-images.ts'
import { sendRaw } from '../fixtures/raw-request.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
let service: LocalService

/** What the fuzz may change lies in one zone; this is in another, and must stay as it is. */
const kept = '/kept/v1/icons/a.css'
const keptContent = 'a { color: red }'

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = opened.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const post = (path: string, body: unknown) =>
    fetch(service.url + path, { method: 'POST', headers: account, body: JSON.stringify(body) })
  const put = (path: string, body: BodyInit) =>
    fetch(`${service.url}/api/storage${path}`, { method: 'PUT', headers: access, body })
  for (const Name of ['acme', 'kept']) await post('/api/core/zones', { Name })
  const shape = { width: 40, height: 30 }
  const image = await painted(shape, quarters(shape)).png().toBuffer()
  await put('/acme/v1/icons/a.png', new Uint8Array(image))
  await put('/acme/v1/icons/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')
  await put('/acme/v1/icons/a.css', 'p { color: red }'.repeat(200))
  await put('/acme/v1/private/a.txt', 'secret')
  await put(kept, keptContent)
  await post('/api/core/zones/acme/domains', { Hostname: 'images.acme.example' })
  await post('/api/core/rules', {
    File: '_headers',
    Content: '/*\n X-Path: :splat\n/acme/v1/icons/*\n X-Sanitize: svg\n Link: </:splat>',
  })
  await post('/api/core/rules', {
    File: '_redirects',
    Content:
      '/old/:a/* /new/:a/:splat 301\n/go/:host https://:host/ 302\n/r/* :splat\n/w/* /acme/v1/:splat 200\n/gone/* /acme/v1/icons/a.css 410\n/q id=:id /acme/v1/icons/:id 200 Country=de Language=en Cookie=x',
  })
})

afterAll(() => opened.disposeAsync())

/** Event streams have no end. */
const isEndless = ({ line: { target }, keys: key }: HostileRequest): boolean =>
  key.length > 0 && /\/live|\/events|\/edges|tail=/u.test(target)
/** What is looked at afterwards must be there. */
const isDestructive = ({ line: { method, target } }: HostileRequest): boolean =>
  method !== 'GET' && /kept|\/zones\/acme/u.test(target)

test('no request at all makes the service fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileRequest.filter((asked) => !isEndless(asked) && !isDestructive(asked)),
      async (asked) => {
        const { status, text } = await sendRaw(service.port, wireOf(asked))
        expect(text === '' || (status >= 200 && status < 500)).toBeTrue()
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1500) },
  )
  expect(service.lines.filter((each) => each.includes('InternalError'))).toEqual([])
  const after = await fetch(service.url + kept)
  expect([after.status, await after.text()]).toEqual([200, keptContent])
}, 120_000)
