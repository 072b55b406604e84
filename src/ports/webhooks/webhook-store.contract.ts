import { expect, test } from 'bun:test'

import {
  at,
  auditOf,
  domainAt,
  entry,
  failureOf,
  type MetadataStores,
  zoneOf,
} from '../content/publication-store.contract.ts'
import type { NewFeedEntry } from '../records/feed.ts'
import type { LogQuery, Outcome, WebhookOutbox } from './webhook-outbox.ts'
import type { WebhookRecord, WebhookStore } from './webhook-store.ts'

export interface WebhookStores extends MetadataStores {
  readonly webhooks: WebhookStore
  readonly outbox: WebhookOutbox
}

type Open = () => Promise<WebhookStores>

/** What every WebhookStore and its WebhookOutbox must do. The test of each adapter calls this once. */
export function webhookStoreContract(name: string, open: Open): void {
  testWebhooks(name, open)
  testWriting(name, open)
  testOutbox(name, open)
}

function testWebhooks(name: string, open: Open): void {
  test(`${name}: webhooks come back as they were given, by time of creation and then by id`, async () => {
    await using stores = await openWithZones(open)
    const webhooks = [
      webhookOf('c', { createdAt: at(1), zones: ['acme', 'b'], events: ['asset.created'] }),
      webhookOf('a', { createdAt: at(2), active: false, switchedOff: 'failing', ordered: false }),
      webhookOf('b', {
        createdAt: at(2),
        failingSince: at(7),
        previousSecret: { sealed: 'v1.old', validUntil: at(9) },
      }),
    ]
    for (const webhook of webhooks.toReversed()) expect(await add(stores, webhook)).toBe('added')

    expect(await stores.webhooks.list()).toEqual(webhooks)
    expect(await stores.webhooks.find('b')).toEqual(webhookOf('b', webhooks[2]))
    expect(await stores.webhooks.find('none')).toBeUndefined()
  })

  test(`${name}: beyond the limit, or for a zone that does not exist, none is added nor recorded`, async () => {
    await using stores = await openWithZones(open)
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        stores.webhooks.add(webhookOf(id), { limit: 2, audit: auditOf({ action: 'add' }) }),
      ),
    )
    expect(responses).toEqual(['added', 'added', 'full'])
    expect(await add(stores, webhookOf('d', { zones: ['acme', 'void'] }))).toBe('zone unknown')

    expect((await stores.webhooks.list()).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await actions(stores)).toEqual(['add', 'add'])
  })

  test(`${name}: a change is made of the newest record, and leaves its audit record`, async () => {
    await using stores = await openWithZones(open)
    const before = webhookOf('a', { zones: ['acme'] })
    await add(stores, before)
    await Promise.all([
      stores.webhooks.change('a', growTail, auditOf({ action: 'change' })),
      stores.webhooks.change('a', growTail, auditOf({ action: 'change' })),
    ])
    const off = { active: false, switchedOff: 'gone' as const, failingSince: at(3) }
    const changed = await stores.webhooks.change('a', (all) => ({ ...all, ...off }), auditOf({}))

    expect(changed).toEqual({ ...before, secretLastFour: 'tail++', zones: ['b'], ...off })
    const kept: unknown = await stores.webhooks.find('a')
    expect(kept).toEqual(changed)
    expect(await actions(stores)).toContain('change')
  })

  test(`${name}: a change that is not wanted, or of no webhook, changes and records nothing`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    const before = await actions(stores)

    expect(await stores.webhooks.change('a', () => undefined, auditOf({}))).toBeUndefined()
    expect(await stores.webhooks.change('b', (all) => all, auditOf({}))).toBeUndefined()
    const elsewhere = (all: WebhookRecord) => ({
      ...all,
      url: 'https://x.example',
      zones: ['void'],
    })
    expect(await stores.webhooks.change('a', elsewhere, auditOf({}))).toBe('zone unknown')
    expect(await stores.webhooks.find('a')).toEqual(webhookOf('a'))
    expect(await actions(stores)).toEqual(before)
  })

  test(`${name}: what takes zones away takes what was of them, sent or not, and of all together`, async () => {
    await using stores = await openWithZones(open)
    for (const id of ['a', 'other']) await add(stores, webhookOf(id))
    const everywhere = { ...entry('of all'), event: 'rules.updated' as const, zone: undefined }
    await publish(stores, [entry('of acme'), { ...entry('of b'), zone: 'b' }, everywhere])
    await stores.outbox.record([delivered((await pending(stores, 'a'))[1])])
    const zonesOf = async (zones: readonly string[] | undefined) => {
      await stores.webhooks.change('a', (all) => ({ ...all, zones }), auditOf({}))
      return (await stores.outbox.log('a', { limit: 10 })).map(pathOf)
    }

    expect(await zonesOf(['acme', 'b'])).toEqual(['of b', 'of acme'])
    expect(await zonesOf(['acme'])).toEqual(['of acme'])
    expect(await zonesOf(undefined)).toEqual(['of acme'])
    expect((await stores.webhooks.find('a'))?.zones).toBeUndefined()
    expect(await paths(stores, 'other')).toEqual(['of acme', 'of b', 'of all'])
  })

  test(`${name}: of two removals of a webhook one succeeds, is recorded, and takes its deliveries`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, [entry('x')])
    const removals = await Promise.all([
      stores.webhooks.remove('a', auditOf({ action: 'remove' })),
      stores.webhooks.remove('a', auditOf({ action: 'remove' })),
      stores.webhooks.remove('other', auditOf({ action: 'remove' })),
    ])

    expect(removals.filter(Boolean)).toHaveLength(1)
    expect((await actions(stores)).filter((action) => action === 'remove')).toHaveLength(1)
    expect(await payloads(stores, 'a')).toEqual([])
    expect(await stores.outbox.log('a', { limit: 10 })).toEqual([])
  })
}

function testWriting(name: string, open: Open): void {
  test(`${name}: what is published is there to deliver, in order, for whoever listens`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('all'))
    await add(stores, webhookOf('some', { events: ['asset.deleted'] }))
    await add(stores, webhookOf('off', { active: false }))
    await publish(stores, [entry('x'), { ...entry('y'), event: 'asset.deleted' }, entry('z')])

    expect(await paths(stores, 'all')).toEqual(['x', 'y', 'z'])
    expect(await paths(stores, 'some')).toEqual(['y'])
    expect(await paths(stores, 'off')).toEqual([])
    const [first, second] = await pending(stores, 'all')
    expect(first).toMatchObject({
      event: 'asset.created',
      zone: 'acme',
      state: 'pending',
      failures: 0,
      tries: 0,
      createdAt: at(4),
      nextAttemptAt: at(4),
    })
    expect(JSON.parse(first?.payload ?? '')).toEqual({
      event: 'asset.created',
      timestamp: at(4).toISOString(),
      data: entry('x').data,
    })
    expect(first?.id).not.toBe(second?.id)
  })

  test(`${name}: a webhook for some zones hears of those alone, and of nothing that concerns all`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a', { zones: ['acme'] }))
    await publish(stores, [
      entry('of acme'),
      { ...entry('of b'), zone: 'b' },
      { ...entry('of all'), event: 'rules.updated', zone: undefined },
    ])

    expect(await paths(stores, 'a')).toEqual(['of acme'])
  })

  test(`${name}: a removed zone is told of, and what comes later under its name is not`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a', { zones: ['acme', 'b'] }))
    const removal = { ...entry('removed'), event: 'zone.deleted' as const }
    await stores.publications.publish([
      { removedZones: ['acme'], feed: [removal] },
      { zones: [zoneOf('acme')], feed: [entry('at once')] },
    ])
    await publish(stores, [entry('later'), { ...entry('of b'), zone: 'b' }])

    expect(await paths(stores, 'a')).toEqual(['removed', 'of b'])
    expect((await stores.webhooks.find('a'))?.zones).toEqual(['b'])
    await stores.publications.publish([{ removedZones: ['b'], feed: [] }])
    expect((await stores.webhooks.find('a'))?.zones).toEqual([])
  })

  test(`${name}: a publication that fails leaves nothing to deliver`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    const impossible: Record<string, unknown> = {}
    impossible['itself'] = impossible
    await failureOf(
      stores.publications.publish([{ feed: [entry('x')], audit: [auditOf({ meta: impossible })] }]),
    )

    expect(await payloads(stores, 'a')).toEqual([])
  })

  test(`${name}: a change of a domain is there to deliver`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await stores.domains.add(domainAt('cdn.acme.example'), {
      feed: { ...entry('domain'), event: 'domain.updated' },
    })

    expect(await paths(stores, 'a')).toEqual(['domain'])
  })
}

function testOutbox(name: string, open: Open): void {
  test(`${name}: what is due is ready, and what holds others up is, before its time`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, ['due', 'holding', 'aside', 'future'].map(entryAt))
    const [, holding, aside, future] = await pending(stores, 'a')
    await stores.outbox.record([
      failed(holding, { failures: 1, nextAttemptAt: at(100) }),
      failed(aside, { failures: 3, nextAttemptAt: at(90) }),
      failed(future, { failures: 4, nextAttemptAt: at(200) }),
    ])
    const ready = async (ms: number, limit = 10) =>
      (await stores.outbox.ready('a', { now: at(ms), limit, holdingFailures: 3 })).map(pathOf)

    expect(await ready(50)).toEqual(['due', 'holding'])
    expect(await ready(90)).toEqual(['due', 'holding', 'aside'])
    expect(await ready(500)).toEqual(['due', 'holding', 'aside', 'future'])
    expect(await ready(500, 2)).toEqual(['due', 'holding'])
    expect(await stores.outbox.nextDueAt('a')).toEqual(at(4))
    expect(await stores.outbox.nextDueAt('nobody')).toBeUndefined()
  })

  test(`${name}: an event from a clock that is ahead is ready at once`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, [{ ...entry('ahead'), at: at(1_000_000) }])
    const query = { now: at(5), limit: 9, holdingFailures: 0 }

    expect((await stores.outbox.ready('a', query)).map(pathOf)).toEqual(['ahead'])
  })

  test(`${name}: what is delivered or given up is no longer pending, and is in the log, newest first`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, ['x', 'y', 'z'].map(entryAt))
    const [x, y, z] = await pending(stores, 'a')
    await stores.outbox.record([failed(x, { failures: 1, nextAttemptAt: at(60) }), delivered(y)])
    await stores.outbox.record([failed(x, { state: 'dead', failures: 10 }), delivered(z)])

    expect(await payloads(stores, 'a')).toEqual([])
    expect(await stores.outbox.nextDueAt('a')).toBeUndefined()
    const log = await stores.outbox.log('a', { limit: 10 })
    expect(log.map((each) => [pathOf(each), each.state, each.tries, each.attempts.length])).toEqual(
      [
        ['z', 'delivered', 1, 1],
        ['y', 'delivered', 1, 1],
        ['x', 'dead', 2, 2],
      ],
    )
    expect(log[1]?.attempts).toEqual([delivered(y).attempt])
    const before = log[1]?.number ?? 0
    expect((await stores.outbox.log('a', { limit: 10, before })).map(pathOf)).toEqual(['x'])
    expect((await stores.outbox.log('a', { limit: 1 })).map(pathOf)).toEqual(['z'])
  })

  test(`${name}: the log is narrowed to a state, to what failed and to an event`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, ['w', 'x', 'y'].map(entryAt))
    await publish(stores, [{ ...entry('z'), event: 'asset.deleted' }])
    const [w, x, y] = await pending(stores, 'a')
    await stores.outbox.record([failed(w, { state: 'dead' }), failed(x, {}), delivered(y)])
    const log = async (query: Partial<LogQuery>) =>
      (await stores.outbox.log('a', { limit: 10, ...query })).map(pathOf)

    expect(await log({ state: 'failed' })).toEqual(['x', 'w'])
    expect(await log({ state: 'dead' })).toEqual(['w'])
    expect(await log({ state: 'pending' })).toEqual(['z', 'x'])
    expect(await log({ state: 'delivered' })).toEqual(['y'])
    expect(await log({ event: 'asset.deleted' })).toEqual(['z'])
    expect(await log({ event: 'asset.deleted', state: 'failed' })).toEqual([])
  })

  test(`${name}: of each webhook the last deliveries that were tried are known, by their last attempt`, async () => {
    await using stores = await openWithZones(open)
    for (const id of ['a', 'b', 'untried']) await add(stores, webhookOf(id))
    await publish(stores, ['v', 'w', 'x', 'y'].map(entryAt))
    const [v, w, x] = await pending(stores, 'a')
    await stores.outbox.record([delivered(v), failed(w, {}), failed(x, { at: at(20) })])
    await stores.outbox.record([delivered(w)])
    await stores.outbox.record([delivered((await pending(stores, 'b'))[0])])
    const recent = async (ids: readonly string[], limit: number) =>
      (await stores.outbox.recent(ids, limit)).map(({ id, status }) => [id, status])

    expect(await recent(['a', 'untried'], 2)).toEqual([
      [x?.id, undefined],
      [w?.id, 200],
    ])
    expect(await recent(['a', 'b', 'none'], 10)).toHaveLength(4)
    expect((await stores.outbox.recent(['a'], 1))[0]).toEqual({
      webhookId: 'a',
      id: x?.id ?? '',
      event: 'asset.created',
      state: 'pending',
      at: at(20),
      durationMs: 12,
      status: undefined,
      error: 'no answer',
    })
  })

  test(`${name}: hundreds of outcomes are recorded at once`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(
      stores,
      Array.from({ length: 700 }, (_, place) => entryAt(String(place))),
    )
    const all = await stores.outbox.ready('a', { now: at(10), limit: 1000, holdingFailures: 3 })
    await stores.outbox.record(all.map(delivered))

    expect(all).toHaveLength(700)
    expect(await payloads(stores, 'a')).toEqual([])
  })

  test(`${name}: a webhook fails from its first failure after a success to its next success`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, ['x', 'y', 'z'].map(entryAt))
    const [x, y, z] = await pending(stores, 'a')
    const since = async () => (await stores.webhooks.find('a'))?.failingSince
    await stores.outbox.record([failed(x, { at: at(10) }), failed(y, { at: at(20) })])
    expect(await since()).toEqual(at(10))
    await stores.outbox.record([failed(x, { at: at(30) })])
    expect(await since()).toEqual(at(10))
    await stores.outbox.record([delivered(z), failed(x, { at: at(40) })])
    expect(await since()).toEqual(at(40))
    await stores.outbox.record([failed(x, { at: at(50) }), delivered(y)])
    expect(await since()).toBeUndefined()
  })

  test(`${name}: outcomes for a removed webhook are dropped and hold up no others`, async () => {
    await using stores = await openWithZones(open)
    for (const id of ['a', 'b']) await add(stores, webhookOf(id))
    await publish(stores, [entry('x')])
    const [a] = await pending(stores, 'a')
    const [b] = await pending(stores, 'b')
    await stores.webhooks.remove('a', auditOf({}))
    await stores.outbox.record([delivered(a), delivered(b)])

    expect(await stores.outbox.log('a', { limit: 10 })).toEqual([])
    expect(await stores.outbox.log('b', { limit: 10 })).toMatchObject([{ state: 'delivered' }])
  })

  test(`${name}: a renewed delivery is pending from the beginning, under its old id`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, [entry('x')])
    const [x] = await pending(stores, 'a')
    await stores.outbox.record([failed(x, { state: 'dead', failures: 10 })])
    const id = x?.id ?? ''
    const audit = auditOf({ action: 'renew' })

    expect(await stores.outbox.renew({ webhookId: 'b', id }, at(70), audit)).toBeUndefined()
    expect(await actions(stores)).not.toContain('renew')
    expect(await stores.outbox.renew({ webhookId: 'a', id }, at(70), audit)).toMatchObject({ id })
    expect(await actions(stores)).toContain('renew')
    const { attempts: _none, ...before } = { attempts: [], ...must(x) }
    expect(
      await stores.outbox.ready('a', { now: at(70), limit: 9, holdingFailures: 3 }),
    ).toMatchObject([{ ...before, tries: 1, nextAttemptAt: at(70) }])
  })

  test(`${name}: what belongs to no event is added, and is not tried by itself`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    const given = { webhookId: 'a', event: 'webhook.test', payload: '{}', createdAt: at(9) }
    const added = await stores.outbox.add(given, auditOf({ action: 'test' }))
    const none = await stores.outbox.add({ ...given, webhookId: 'b' }, auditOf({ action: 'test' }))

    expect(none).toBeUndefined()
    expect((await actions(stores)).filter((action) => action === 'test')).toHaveLength(1)
    expect(await stores.outbox.nextDueAt('a')).toBeUndefined()
    expect(await stores.outbox.log('a', { limit: 9 })).toEqual([{ ...must(added), attempts: [] }])
    await stores.outbox.record([delivered(added)])
    expect(await stores.outbox.log('a', { limit: 9 })).toMatchObject([{ state: 'delivered' }])
  })

  test(`${name}: what is old and not pending is forgotten, a part at a time`, async () => {
    await using stores = await openWithZones(open)
    await add(stores, webhookOf('a'))
    await publish(stores, ['w', 'x', 'y', 'z'].map(entryAt))
    const [w, x, y] = await pending(stores, 'a')
    await stores.outbox.record([delivered(w), delivered(x), delivered(y)])

    expect(await stores.outbox.forgetBefore(at(4), 10)).toBe(0)
    expect(await stores.outbox.forgetBefore(at(5), 2)).toBe(2)
    expect(await stores.outbox.forgetBefore(at(5), 2)).toBe(1)
    expect(await stores.outbox.forgetBefore(at(5), 2)).toBe(0)
    expect((await stores.outbox.log('a', { limit: 9 })).map(pathOf)).toEqual(['z'])
  })
}

export const webhookOf = (id: string, given: Partial<WebhookRecord> = {}): WebhookRecord => ({
  id,
  url: `https://hooks.example/${id}`,
  events: ['*'],
  zones: undefined,
  ordered: true,
  sealedSecret: 'v1.sealed',
  secretLastFour: 'tail',
  previousSecret: undefined,
  active: true,
  switchedOff: undefined,
  failingSince: undefined,
  createdBy: 'account-key',
  createdAt: at(1),
  ...given,
})

const growTail = (webhook: WebhookRecord): WebhookRecord => ({
  ...webhook,
  secretLastFour: `${webhook.secretLastFour}+`,
  zones: ['b'],
})

async function openWithZones(open: Open): Promise<WebhookStores> {
  const stores = await open()
  await stores.publications.publish([{ zones: ['acme', 'b'].map(zoneOf), feed: [] }])
  return stores
}

const add = ({ webhooks }: WebhookStores, webhook: WebhookRecord) =>
  webhooks.add(webhook, { limit: 25, audit: auditOf({}) })

const publish = ({ publications }: WebhookStores, feed: readonly NewFeedEntry[]) =>
  publications.publish([{ feed }])

const entryAt = (path: string) => entry(path)

const pending = ({ outbox }: WebhookStores, webhookId: string) =>
  outbox.ready(webhookId, { now: at(1_000_000), limit: 100, holdingFailures: 3 })

const pathOf = ({ payload }: { readonly payload: string }): unknown =>
  (JSON.parse(payload) as { data: { Path: unknown } }).data.Path

const paths = async (stores: WebhookStores, id: string) => (await pending(stores, id)).map(pathOf)
const payloads = async (stores: WebhookStores, id: string) =>
  (await pending(stores, id)).map(({ payload }) => payload)

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there should be something')
  return value
}

type Given = Outcome['delivery'] | undefined

const attemptAt = (time: Date) => ({
  at: time,
  durationMs: 12,
  url: 'https://hooks.example/',
  requestHeaders: { 'webhook-id': 'x' },
  status: 200,
  error: undefined,
  response: 'ü 🌿',
  responseHeaders: { server: 'x' },
})

export const delivered = (delivery: Given): Outcome => ({
  delivery: must(delivery),
  attempt: attemptAt(at(8)),
  state: 'delivered',
  failures: 0,
  nextAttemptAt: undefined,
})

const failed = (
  delivery: Given,
  { at: time = at(8), ...given }: Partial<Outcome> & { readonly at?: Date },
): Outcome => ({
  delivery: must(delivery),
  attempt: { ...attemptAt(time), status: undefined, error: 'no answer' },
  state: 'pending',
  failures: 1,
  nextAttemptAt: given.state === 'dead' ? undefined : at(100),
  ...given,
})

const actions = async ({ audit }: WebhookStores): Promise<readonly string[]> =>
  (await audit.query({ since: new Date(0), limit: 100 })).map(({ action }) => action)
