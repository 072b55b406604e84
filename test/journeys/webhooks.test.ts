import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import type { FeedEvent } from '../../src/ports/records/feed.ts'
import { eventBody, eventNames } from '../../src/planes/webhooks/event-schemas.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { databaseServerName } from '../support/stores-elsewhere.ts'
import { openWebhookReceiver, verify } from '../support/webhook-receiver.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let dataDirectory: string

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  dataDirectory = directory.path
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    }),
  )
  for (const zone of ['acme', 'bolt']) await post('/api/core/zones', { Name: zone })
}, 60_000)
afterAll(() => undo.disposeAsync())

const registered: string[] = []
afterEach(async () => {
  for (const id of registered.splice(0)) await call('DELETE', `/api/webhooks/${id}`)
})

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly body?: unknown
  readonly headers?: Headers
}

async function call(method: string, path: string, { body, headers = account }: Sent = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

const post = (path: string, body?: unknown, headers?: Headers) =>
  call('POST', path, { body, ...(headers && { headers }) })
const get = (path: string, headers?: Headers) => call('GET', path, headers && { headers })
const put = (path: string, body = 'x') =>
  call('PUT', `/api/storage/clients/${path}`, { body, headers: access })

async function register(url: string, given: object = {}) {
  const { status, json } = await post('/api/webhooks', { url, events: ['*'], ...given })
  expect(status).toBe(201)
  registered.push(json.id)
  return json as { id: string; secret: string; Webhook: Record<string, unknown> }
}

const deliveriesOf = async (id: string) => (await get(`/api/webhooks/${id}/deliveries`)).json

/** Asks until `check` is content, a few times a second. */
async function eventually<T>(ask: () => Promise<T>, check: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const value = await ask()
    if (check(value) || Date.now() > deadline) return value
    await Bun.sleep(50)
  }
}

test('every event of the contract is sent, signed, and as its schema says', async () => {
  using receiver = openWebhookReceiver()
  const { id, secret } = await register(receiver.url)
  await post('/api/core/zones', { Name: 'events' })
  await put('events/v1/logos/a.svg', '<svg/>')
  await put('events/v1/logos/a.svg', '<svg />')
  await call('PATCH', '/api/assets/metadata?path=events/v1/logos/a.svg', {
    headers: { ...access, 'Content-Type': 'application/json' },
    body: { Expires: '2020-01-01T00:00:00Z' },
  })
  const bound = (files: number | null) =>
    call('PUT', '/api/core/zones/events/quotas', { body: { Quotas: { files } } })
  await bound(1)
  // They are told of some seconds later, and of nothing that is gone.
  await eventually(
    async () => new Set(receiver.received.map(({ event }) => event)),
    (events) => events.has('asset.expired') && events.has('quota.reached'),
  )
  await bound(null)
  await call('DELETE', '/api/storage/clients/events/v1/logos/a.svg', { headers: access })
  await post('/api/core/zones/events/previews', { Name: 'spring' })
  const [Path, Reason] = ['events/v1/logos/a.svg', 'A test of what is told']
  await post('/api/core/erasures', { Path, Confirm: Path, Reason })
  await post('/api/core/zones/events/domains', { Hostname: 'cdn.events.example' })
  await call('PATCH', '/api/core/zones/events', { body: { Suspended: true } })
  await post('/api/core/rules', { File: '_headers', Content: '/*\n  X-A: b\n' })
  await post('/api/purge', { tags: ['zone-events'] }, { 'x-api-key': testKeys.PURGE_KEY })
  await call('DELETE', '/api/core/zones/events')
  // What the service finds wrong is told apart from changes: `test/api/notifications.test.ts`.
  const wanted = eventNames.filter((name) => !name.startsWith('notification.'))
  const seen = await eventually(
    async () => new Set(receiver.received.map(({ event }) => event)),
    (events) => events.size >= wanted.length,
  )

  expect([...seen].toSorted()).toEqual(wanted.toSorted())
  for (const message of receiver.received) {
    expect(verify(message, secret)).toBeTruthy()
    expect(eventBody(message.event as FeedEvent).parse(JSON.parse(message.body))).toBeTruthy()
    expect(message.headers['x-webhook-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(message.body).digest('hex')}`,
    )
  }
  await call('DELETE', `/api/webhooks/${id}`)
}, 30_000)

test('a batch is one event an asset, in order, each under an id of its own', async () => {
  using receiver = openWebhookReceiver()
  await register(receiver.url, { events: ['asset.created'] })
  const files = Array.from({ length: 50 }, (_, place) => ({
    path: `acme/v1/icons/${String(place).padStart(2, '0')}.svg`,
    content: 'aGk=',
  }))
  await post('/api/storage/batch', { files }, access)
  await receiver.until(50)

  expect(receiver.received.map(({ data }) => data['path'])).toEqual(
    files.map(({ path }) => `clients/${path}`),
  )
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(50)
})

test('what fails is tried again under the same id, and what follows waits for it', async () => {
  using receiver = openWebhookReceiver()
  const { id } = await register(receiver.url, { events: ['asset.created'] })
  receiver.respond = () => new Response('not now', { status: 503 })
  await put('acme/v1/logos/first.svg')
  await put('acme/v1/logos/second.svg')
  await receiver.until(1)
  const log = await eventually(
    () => deliveriesOf(id),
    ({ Deliveries }) => Deliveries[1]?.attemptCount === 1,
  )
  expect(log.Deliveries[1]).toMatchObject({
    state: 'pending',
    status: 503,
    response: 'not now',
    request: { method: 'POST', url: receiver.url },
  })
  expect(receiver.received).toHaveLength(1)

  receiver.respond = () => new Response('ok')
  service.wait(6_000)
  await receiver.until(3)
  expect(receiver.received.map(({ data }) => String(data['path']).slice(-10))).toEqual([
    '/first.svg',
    '/first.svg',
    'second.svg',
  ])
  expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id ?? '')
  const after = await eventually(
    () => deliveriesOf(id),
    ({ Deliveries }) => Deliveries.every(({ state }: { state: string }) => state === 'delivered'),
  )
  expect(
    after.Deliveries.map(({ attemptCount }: { attemptCount: number }) => attemptCount),
  ).toEqual([1, 2])
}, 20_000)

test('410 switches the webhook off at once; switched on again it goes on', async () => {
  using receiver = openWebhookReceiver()
  const { id } = await register(receiver.url, { events: ['asset.created'] })
  receiver.respond = () => new Response(null, { status: 410 })
  await put('acme/v1/logos/gone.svg')
  const off = await eventually(
    () => get(`/api/webhooks/${id}`),
    ({ json }) => json.Webhook.active === false,
  )
  expect(off.json.Webhook).toMatchObject({ active: false, switchedOff: 'gone' })
  await put('acme/v1/logos/unheard.svg')

  receiver.respond = () => new Response('ok')
  const refused = await post(`/api/webhooks/${id}/deliveries/${receiver.received[0]?.id}/redeliver`)
  expect(refused.status).toBe(409)
  const on = await call('PATCH', `/api/webhooks/${id}`, { body: { active: true } })
  expect(on.json.Webhook).toMatchObject({ active: true, switchedOff: null, failingSince: null })
  await put('acme/v1/logos/heard.svg')
  await receiver.until(2)
  expect(receiver.received[1]?.data['path']).toBe('clients/acme/v1/logos/heard.svg')
})

test('a test is sent once, now, and says what came back', async () => {
  using receiver = openWebhookReceiver()
  const { id, secret } = await register(receiver.url, { events: ['zone.deleted'] })
  receiver.respond = () => new Response('hello '.repeat(1000), { status: 200 })
  const { json } = await post(`/api/webhooks/${id}/test`)
  expect(json).toMatchObject({ HttpCode: 200, delivered: true, status: 200, error: null })
  expect(json.response).toHaveLength(1024)
  expect(receiver.received).toMatchObject([{ event: 'webhook.test' }])
  expect(verify(receiver.received[0]!, secret)).toBeTruthy()

  receiver.respond = () => new Response('no', { status: 500 })
  expect((await post(`/api/webhooks/${id}/test`)).json).toMatchObject({
    delivered: false,
    status: 500,
  })
  const log = await deliveriesOf(id)
  expect(log.Deliveries.map(({ state }: { state: string }) => state)).toEqual(['dead', 'delivered'])
  expect(log.deliveries).toEqual(log.Deliveries)
  expect(log.Count).toBe(2)
})

test('a delivery is sent again on request, under its old id', async () => {
  using receiver = openWebhookReceiver()
  const { id } = await register(receiver.url, { events: ['asset.created'] })
  await put('acme/v1/logos/again.svg')
  await receiver.until(1)
  const delivered = await eventually(
    () => deliveriesOf(id),
    ({ Deliveries }) => Deliveries[0]?.state === 'delivered',
  )
  const deliveryId = delivered.Deliveries[0].id as string
  const again = await post(`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`)
  expect(again).toMatchObject({ status: 202, json: { HttpCode: 202, deliveryId } })
  await receiver.until(2)

  expect(receiver.received[1]).toMatchObject({ id: deliveryId, body: receiver.received[0]?.body })
  expect((await post(`/api/webhooks/${id}/deliveries/none/redeliver`)).status).toBe(404)
})

test('after a rotation the new secret and the one before it verify, and no older one', async () => {
  using receiver = openWebhookReceiver()
  const { id, secret: old } = await register(receiver.url, { events: ['asset.created'] })
  const { json } = await call('PATCH', `/api/webhooks/${id}`, { body: { rotateSecret: true } })
  expect(json.secret).toMatch(/^whsec_/u)
  expect(json.secret).not.toBe(old)
  expect(json.Webhook.secretLastFour).toBe(json.secret.slice(-4))
  await post(`/api/webhooks/${id}/test`)
  const [during] = receiver.received
  expect(verify(during!, json.secret)).toBeTruthy()
  expect(verify(during!, old)).toBeTruthy()

  await call('PATCH', `/api/webhooks/${id}`, { body: { secret: 's'.repeat(40) } })
  await post(`/api/webhooks/${id}/test`)
  expect(verify(receiver.received[1]!, 's'.repeat(40), 'raw')).toBeTruthy()
  expect(verify(receiver.received[1]!, json.secret)).toBeTruthy()
  expect(() => verify(receiver.received[1]!, old)).toThrow()
})

test('registering answers as agreed, and shows a secret only where it made one', async () => {
  const made = await post('/api/webhooks', {
    url: 'http://127.0.0.1:9/x?y=z',
    events: ['asset.created', 'asset.created'],
    zones: ['bolt', 'acme'],
    secret: 'a'.repeat(64),
  })
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({
    HttpCode: 201,
    Message: expect.any(String),
    Webhook: {
      url: 'http://127.0.0.1:9/x?y=z',
      events: ['asset.created'],
      zones: ['acme', 'bolt'],
      secretLastFour: 'aaaa',
      active: true,
      hasSecret: true,
      createdAt: expect.stringMatching(/Z$/u),
    },
  })
  expect(made.json.id).toBe(made.json.Webhook.id)
  expect(made.json).not.toHaveProperty('secret')
  const listed = await get('/api/webhooks')
  expect(listed.json.Webhooks).toContainEqual(made.json.Webhook)
  expect(listed.json.webhooks).toEqual(listed.json.Webhooks)
  expect(listed.json.Count).toBe(listed.json.Webhooks.length)
  expect(JSON.stringify(listed.json)).not.toContain('aaaaaaaa')
  expect((await call('DELETE', `/api/webhooks?id=${made.json.id}`)).status).toBe(200)
  expect((await call('DELETE', `/api/webhooks/${made.json.id}`)).status).toBe(404)
  expect((await get(`/api/webhooks/${made.json.id}`)).status).toBe(404)
})

test('what cannot be a webhook is refused, and names the field', async () => {
  const good = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const bad: readonly [object, string][] = [
    [{ ...good, url: 'not a url' }, 'url'],
    [{ ...good, url: 'ftp://example.com/' }, 'url'],
    [{ ...good, url: 'https://user:pw@example.com/' }, 'url'],
    [{ ...good, url: `http://127.0.0.1/${'x'.repeat(3000)}` }, 'url'],
    [{ ...good, events: [] }, 'events'],
    [{ ...good, events: ['asset.exploded'] }, 'events[0]'],
    [{ ...good, secret: 'short' }, 'secret'],
    [{ ...good, secret: 'ü'.repeat(40) }, 'secret'],
    [{ ...good, secret: `whsec_${'!'.repeat(40)}` }, 'secret'],
    [{ ...good, zones: [] }, 'zones'],
    [{ ...good, zones: ['void'] }, 'zones'],
  ]
  for (const [body, target] of bad) {
    const { status, json } = await post('/api/webhooks', body)
    expect({ body, status, target: json.error.target ?? json.error.details[0]?.target }).toEqual({
      body,
      status: 400,
      target,
    })
  }
  expect((await call('PATCH', '/api/webhooks/none', { body: {} })).status).toBe(400)
  expect((await call('PATCH', '/api/webhooks/none', { body: { active: true } })).status).toBe(404)
})

test('the URL that is listed is the one that is called', async () => {
  const typed = 'https://hooks.inva\tlid/\r\nX: 1'
  expect((await post('/api/webhooks', { url: typed, events: ['*'] })).status).toBe(400)
  const { Webhook } = await register('HTTPS://Hooks.Example:443/a/../b#part')
  expect(Webhook['url']).toBe('https://hooks.example/b')
})

test('without leave for tests nothing private is taken, and nothing over http', async () => {
  await using directory = await temporaryDirectory()
  await using strict = await openLocalService({ dataDirectory: directory.path })
  const closed = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://metadata.google.internal/',
  ]
  for (const url of closed) {
    const response = await fetch(`${strict.url}/api/webhooks`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ url, events: ['*'] }),
    })
    const { error } = await response.json()
    expect({ url, status: response.status, target: error.target }).toEqual({
      url,
      status: 400,
      target: 'url',
    })
  }
})

// A database server keeps its files where no test of ours can read them.
if (!(databaseServerName in process.env))
  test('no secret is readable in the database', async () => {
    const secret = `readable-${'x'.repeat(40)}`
    await register('http://127.0.0.1:9/', { events: ['zone.deleted'], secret })
    const files = [...new Bun.Glob('sedge.db*').scanSync(dataDirectory)]

    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const bytes = Buffer.from(await Bun.file(join(dataDirectory, file)).bytes())
      expect(bytes.includes(secret)).toBe(false)
    }
  })

test('the description of the interface tells of every event', async () => {
  const { json } = await get('/api/openapi.json')

  expect(Object.keys(json.webhooks).toSorted()).toEqual([...eventNames].toSorted())
  const { post: described } = json.webhooks['asset.created']
  const { schema } = described.requestBody.content['application/json']
  expect(schema.properties.data.properties).toHaveProperty('checksum')
})

test('there are at most 25, also where many are asked for at once', async () => {
  const { json } = await get('/api/webhooks')
  const asked = await Promise.all(
    Array.from({ length: 30 }, () =>
      post('/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['zone.deleted'] }),
    ),
  )
  const made = asked.filter(({ status }) => status === 201)

  expect(made).toHaveLength(25 - json.Count)
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([201, 409]))
  for (const each of made) await call('DELETE', `/api/webhooks/${each.json.id}`)
})

test('a token for some zones makes, sees and changes webhooks for those alone', async () => {
  using receiver = openWebhookReceiver()
  const scopes = ['webhooks:read', 'webhooks:write']
  const token = await post('/api/tokens', { name: 'narrow', scopes, zones: ['acme'] })
  const bearer = { Authorization: `Bearer ${token.json.token}` }
  const all = await register(receiver.url, { events: ['asset.created'] })
  const both = await register(receiver.url, { zones: ['acme', 'bolt'] })
  for (const { id } of [all, both]) {
    expect((await get(`/api/webhooks/${id}`, bearer)).status).toBe(404)
    expect((await get(`/api/webhooks/${id}/deliveries`, bearer)).status).toBe(404)
    expect((await post(`/api/webhooks/${id}/test`, undefined, bearer)).status).toBe(404)
    expect(
      (await call('PATCH', `/api/webhooks/${id}`, { body: { active: false }, headers: bearer }))
        .status,
    ).toBe(404)
    expect((await call('DELETE', `/api/webhooks/${id}`, { headers: bearer })).status).toBe(404)
  }
  const asked = { url: receiver.url, events: ['*'] }
  for (const zones of [undefined, ['bolt'], ['acme', 'bolt'], ['void']])
    expect((await post('/api/webhooks', { ...asked, zones }, bearer)).status).toBe(403)
  const own = await post('/api/webhooks', { ...asked, zones: ['acme'] }, bearer)
  expect(own.status).toBe(201)
  expect((await get('/api/webhooks', bearer)).json.Webhooks).toEqual([own.json.Webhook])
  for (const { id } of [all, both]) await call('DELETE', `/api/webhooks/${id}`)

  await put('bolt/v1/logos/foreign.svg')
  await put('acme/v1/logos/own.svg')
  await receiver.until(1)
  await eventually(
    () => deliveriesOf(own.json.id),
    ({ Deliveries }) => Deliveries.length > 0,
  )
  expect(JSON.stringify(await deliveriesOf(own.json.id))).not.toContain('bolt')
  expect((await call('DELETE', `/api/webhooks/${own.json.id}`, { headers: bearer })).status).toBe(
    200,
  )
})

test('every change of a webhook is in the audit log, without its path', async () => {
  const { id } = await register('http://127.0.0.1:9/secret-path')
  await call('PATCH', `/api/webhooks/${id}`, { body: { active: false } })
  await call('DELETE', `/api/webhooks/${id}`)
  const { json } = await get('/api/core/audit-logs')
  const actions = json.Entries.filter(({ target }: { target: string }) => target === id).map(
    ({ action }: { action: string }) => action,
  )

  expect(actions).toEqual(['webhook.delete', 'webhook.update', 'webhook.create'])
  expect(JSON.stringify(json)).not.toContain('secret-path')
})

// Last, as it moves the clock beyond what receivers take for fresh.
test('an endpoint that fails for five days is switched off, and the audit log says so', async () => {
  using receiver = openWebhookReceiver()
  const { id } = await register(receiver.url, { events: ['asset.created'] })
  receiver.respond = () => new Response(null, { status: 500 })
  await put('acme/v1/logos/failing.svg')
  await receiver.until(1)
  await eventually(
    () => get(`/api/webhooks/${id}`),
    ({ json }) => json.Webhook.failingSince !== null,
  )
  service.wait(5 * 86_400_000)
  await receiver.until(2)
  const off = await eventually(
    () => get(`/api/webhooks/${id}`),
    ({ json }) => json.Webhook.active === false,
  )

  expect(off.json.Webhook).toMatchObject({ active: false, switchedOff: 'failing' })
  const audit = await get('/api/core/audit-logs?action=webhook.switch-off')
  expect(audit.json.Entries).toContainEqual(expect.objectContaining({ target: id }))
})

test('everything of a webhook can be changed, and it says how it goes with it', async () => {
  using first = openWebhookReceiver()
  using second = openWebhookReceiver()
  const { id, Webhook } = await register(first.url, { events: ['asset.created'] })
  expect(Webhook).toMatchObject({ state: 'unused', lastDelivery: null, failureRate: null })
  first.respond = () => new Response('broken', { status: 500, headers: { 'X-Why': 'a test' } })
  const tested = await post(`/api/webhooks/${id}/test`, { event: 'asset.deleted' })
  expect(tested.json).toMatchObject({ delivered: false, status: 500, response: 'broken' })
  expect(first.received[0]).toMatchObject({ event: 'asset.deleted', data: { zone: 'example' } })
  const failing = (await get('/api/webhooks')).json.Webhooks.find(
    (each: { id: string }) => each.id === id,
  )
  expect(failing).toMatchObject({
    state: 'failing',
    lastDelivery: { event: 'asset.deleted', state: 'dead', status: 500, error: null },
    recentDeliveries: 1,
    recentFailures: 1,
    failureRate: 1,
  })
  const failed = (await get(`/api/webhooks/${id}/deliveries?state=failed`)).json.Deliveries
  expect(failed).toMatchObject([
    { test: true, attempts: [{ status: 500, responseHeaders: { 'x-why': 'a test' } }] },
  ])
  expect((await get(`/api/webhooks/${id}/deliveries?event=zone.created`)).json.Count).toBe(0)

  const body = { url: second.url, events: ['asset.deleted'], zones: ['bolt'], ordered: false }
  const changed = await call('PATCH', `/api/webhooks/${id}`, { body })
  expect(changed.json.Webhook).toMatchObject({ ...body, state: 'unused', active: true })
  await put('bolt/v1/logos/moved.svg')
  await call('DELETE', '/api/storage/clients/bolt/v1/logos/moved.svg', { headers: access })
  await second.until(1)
  expect(second.received[0]).toMatchObject({ event: 'asset.deleted', data: { zone: 'bolt' } })
  expect(first.received).toHaveLength(1)

  for (const refused of [
    {},
    { events: [] },
    { events: ['asset.made'] },
    { url: 'ftp://x' },
    { url: null },
    { zones: ['nowhere'] },
    { zones: [] },
  ])
    expect((await call('PATCH', `/api/webhooks/${id}`, { body: refused })).status).toBe(400)
  const { json } = await get('/api/core/audit-logs?action=webhook.update')
  expect(JSON.stringify(json)).toContain(
    '"after":{"url":"' + new URL(second.url).origin + '/…","events":["asset.deleted"]',
  )
}, 60_000)

test('a token for some zones changes webhooks of these alone, and to no others', async () => {
  using receiver = openWebhookReceiver()
  const { json: token } = await post('/api/tokens', {
    name: 'hooks',
    zones: ['acme'],
    scopes: ['webhooks:read', 'webhooks:write'],
  })
  const headers = { Authorization: `Bearer ${token.token}` }
  const { id } = await register(receiver.url, { zones: ['acme', 'bolt'] })
  const edit = (body: object) => call('PATCH', `/api/webhooks/${id}`, { body, headers })
  await put('bolt/v1/logos/private.svg')
  await receiver.until(1)

  expect((await edit({ url: receiver.url })).status).toBe(404)
  await call('PATCH', `/api/webhooks/${id}`, { body: { zones: ['acme'] } })
  // What was told of the other zone is gone with it.
  expect((await get(`/api/webhooks/${id}/deliveries`, headers)).json.Deliveries).toEqual([])
  for (const zones of [null, ['bolt'], ['acme', 'bolt']])
    expect((await edit({ zones })).status).toBe(403)
  expect((await edit({ events: ['zone.updated'] })).status).toBe(200)
}, 60_000)
