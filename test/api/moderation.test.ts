import { expect, test } from 'bun:test'

import { ask, svgOf, openSeeing, post, put, saying, untilSeen } from '../support/seeing-service.ts'
import { tenantOf } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { visionReplies } from '../support/vision-server.ts'

const leaf = 'acme/v1/photos/green-leaf.svg'

test('what a zone holds back stays in its preview, and what is not seen yet too', async () => {
  await using seeing = await openSeeing()
  const { service } = seeing
  await service.core('PATCH', 'zones/acme', { Moderation: 'hold' })
  await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
  seeing.saying(saying({ safety: 'unsafe' }))
  const inPreview = { 'Sedge-Preview': 'spring' }
  await put(service, leaf, svgOf('green'), inPreview)
  const promote = async () => {
    const response = await service.core('POST', 'zones/acme/previews/spring/promote', {})
    return { status: response.status, body: await response.text() }
  }
  const first = await promote()
  expect(first).toMatchObject({ status: 409 })
  expect(first.body).toContain('ModerationHeld')
  expect(first.body).toContain('not seen yet')
  await until(async () => (await promote()).body.includes('unsafe'))
  expect((await service.fetch(`/${leaf}`)).status).toBe(404)

  seeing.saying(visionReplies.good)
  await put(service, leaf, svgOf('blue'), inPreview)
  await until(async () => (await promote()).status === 200)
  expect((await service.fetch(`/${leaf}`)).status).toBe(200)
})

test('what is unfit and live is listed for the zone alone that wants it', async () => {
  await using seeing = await openSeeing()
  const { service } = seeing
  await service.createZone('other')
  seeing.saying(saying({ safety: 'borderline' }))
  await put(service, leaf, svgOf('green'))
  await untilSeen(service, leaf)
  const flagged = () => ask(service, '/api/assets/flagged?zone=acme')

  expect(await flagged()).toMatchObject({ Moderation: 'off', Total: 0 })
  await service.core('PATCH', 'zones/acme', { Moderation: 'flag' })
  expect(await flagged()).toMatchObject({ Data: [{ Path: leaf, Safety: 'borderline' }] })
  expect((await post(service, '/api/ai/moderate', { url: `/${leaf}?x=1` })).body).toMatchObject({
    path: leaf,
    safe: false,
    flagged: true,
    policy: 'flag',
  })
  const stranger = await tenantOf(service, 'other')
  for (const path of ['alt-text', 'moderate', 'smart-crop'])
    expect((await stranger('POST', `/api/ai/${path}`, { path: leaf })).status).toBe(404)
  for (const path of [`suggestions?path=${leaf}`, 'flagged?zone=acme'])
    expect((await stranger('GET', `/api/assets/${path}`)).status).toBe(404)
})

test('a person releases what a preview holds, and the audit log says so', async () => {
  await using seeing = await openSeeing()
  const { service } = seeing
  await service.core('PATCH', 'zones/acme', { Moderation: 'hold' })
  await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
  seeing.saying(visionReplies.prose)
  await put(service, leaf, svgOf('green'), { 'Sedge-Preview': 'spring' })
  const promote = async (body: object) => {
    const response = await service.core('POST', 'zones/acme/previews/spring/promote', body)
    return { status: response.status, text: await response.text() }
  }
  await until(async () => (await promote({})).text.includes('is held back: not seen"'))
  const Release = ['v1/photos/green-leaf.svg']

  expect((await promote({ Release: ['v1/photos/other.svg'] })).status).toBe(409)
  expect((await promote({ Release: ['../other'] })).status).toBe(400)
  expect((await promote({ Release, DryRun: true })).status).toBe(200)
  expect((await service.fetch(`/${leaf}`)).status).toBe(404)
  expect((await promote({ Release })).status).toBe(200)
  expect((await service.fetch(`/${leaf}`)).status).toBe(200)
  const audit = await service.core('GET', 'audit-logs?action=preview.promote')
  expect(await audit.text()).toContain(leaf)
})

test('what a zone holds back is not stored live by any door, nor what is not seen yet', async () => {
  await using seeing = await openSeeing()
  const { service } = seeing
  await put(service, leaf, svgOf('green'))
  await untilSeen(service, leaf)
  seeing.saying(saying({ safety: 'unsafe' }))
  await put(service, 'acme/v1/photos/unfit.svg', svgOf('red'))
  await untilSeen(service, 'acme/v1/photos/unfit.svg')
  await service.core('PATCH', 'zones/acme', { Moderation: 'hold' })
  const store = async (name: string, body: string) => {
    const response = await service.storage('PUT', `acme/v1/photos/${name}`, { body })
    return { status: response.status, text: await response.text() }
  }

  const held = await store('new.svg', svgOf('blue'))
  expect(held.status).toBe(409)
  expect(held.text).toContain('ModerationHeld')
  expect(held.text).toContain('in a preview')
  expect((await service.fetch('/acme/v1/photos/new.svg')).status).toBe(404)
  // What is live may lie at other paths, too; what is no image is nobody's to look at.
  expect((await store('copy.svg', svgOf('red'))).status).toBe(201)
  expect((await store('seen.svg', svgOf('green'))).status).toBe(201)
  expect((await store('notes.txt', 'words')).status).toBe(201)
  const removed = await service.storage('DELETE', 'acme/v1/photos/unfit.svg', {})
  expect(removed.status).toBe(200)
  await service.storage('DELETE', 'acme/v1/photos/copy.svg', {})
  expect((await store('again.svg', svgOf('red'))).text).toContain('is held back: unsafe')
  const Paths = ['acme/v1/photos/unfit.svg']
  const restored = await post(service, '/api/assets/restore', { Paths })
  expect(restored).toMatchObject({ status: 409, body: { error: { code: 'ModerationHeld' } } })
  expect((await service.fetch('/acme/v1/photos/unfit.svg')).status).toBe(404)
})
