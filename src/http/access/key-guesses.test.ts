import { expect, test } from 'bun:test'

import { createKeyGuesses } from './key-guesses.ts'
import { success, uncheckedApp, testEndpoint, testKeys } from '../testing.ts'

function setUp() {
  let nowMs = 0
  const now = () => new Date(nowMs)
  const app = uncheckedApp(
    [
      testEndpoint({
        id: 'read',
        summary: '',
        envelope: 'standard',
        responses: {},
        plane: 'core',
        method: 'get',
        path: '/api/thing',
        access: { keys: ['account', 'access'] },
        handle: async () => success(200, 'ok', {}),
      }),
      testEndpoint({
        id: 'open',
        summary: '',
        envelope: 'standard',
        responses: {},
        plane: 'core',
        method: 'get',
        path: '/api/open',
        access: 'public',
        handle: async () => success(200, 'ok', {}),
      }),
    ],
    {
      now,
      guesses: createKeyGuesses({ now }),
    },
  )
  const ask = async (headers: Record<string, string>, address = '192.0.2.1', path = 'thing') =>
    await app.fetch(new Request(`http://sedge.test/api/${path}`, { headers }), address)
  return {
    ask,
    statusOf: async (headers: Record<string, string>, address?: string) =>
      (await ask(headers, address)).status,
    wait: (seconds: number) => void (nowMs += seconds * 1000),
  }
}

type World = ReturnType<typeof setUp>

const wrong = { AccountKey: 'wrong' }
const right = { AccountKey: testKeys.account }

const guess = async ({ statusOf }: World, count: number, headers = wrong) => {
  const statuses = new Set<number>()
  for (let n = 0; n < count; n += 1) statuses.add(await statusOf(headers))
  return [...statuses]
}

test('a network that guesses is told to wait, and its right guess says nothing then', async () => {
  const world = setUp()
  expect(await guess(world, 300)).toEqual([401])
  const refused = await world.ask(wrong)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await world.statusOf(right)).toBe(429)
  expect(await world.statusOf({})).toBe(401)
  expect(await world.statusOf(right, '192.0.2.2')).toBe(200)
  world.wait(60)
  expect(await world.statusOf(right)).toBe(200)
})

test('what is open to all stays so', async () => {
  const world = setUp()
  await guess(world, 301)
  expect((await world.ask(wrong, undefined, 'open')).status).toBe(200)
})

test('all of an IPv6 network are one', async () => {
  const world = setUp()
  for (let n = 0; n < 300; n += 1) await world.statusOf(wrong, `2001:db8::${n.toString(16)}`)
  expect(await world.statusOf(wrong, '2001:db8:0:0:ffff::1')).toBe(429)
})

test('where a genuine key came from lately nobody is shut out', async () => {
  const world = setUp()
  expect(await world.statusOf(right)).toBe(200)
  expect(await guess(world, 300)).toEqual([401])
  expect(await world.statusOf(right)).toBe(200)
  world.wait(3601)
  expect(await guess(world, 301)).toEqual([401, 429])
})

test('a key of one kind is no leave to guess another', async () => {
  const world = setUp()
  const both = { AccessKey: testKeys.access, AccountKey: 'wrong' }
  expect(await guess(world, 301, both)).toEqual([200, 429])
  expect(await world.statusOf({ AccessKey: testKeys.access })).toBe(200)
})

test('many guesses at once get no further', async () => {
  const world = setUp()
  const statuses = await Promise.all(Array.from({ length: 900 }, () => world.statusOf(wrong)))
  expect(statuses.filter((status) => status === 401)).toHaveLength(300)
})
