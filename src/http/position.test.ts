import { expect, test } from 'bun:test'
import { z } from 'zod'

import { operation } from './operation.ts'
import { testApp } from './testing.ts'

const responses = { 200: { description: 'There', schema: z.object({ there: z.boolean() }) } }
const common = {
  plane: 'core',
  path: '/api/things',
  summary: 'Things',
  envelope: 'standard',
} as const

const readThings = operation({
  ...common,
  id: 'readThings',
  method: 'get',
  access: 'public',
  answeredBy: 'any node',
  responses,
}).handledBy(
  () =>
    async ({ respond }) =>
      respond(200, { there: true }),
)

const writeThings = operation({
  ...common,
  id: 'writeThings',
  method: 'post',
  access: 'public',
  responses,
}).handledBy((write: () => void) => async ({ respond }) => {
  write()
  return respond(200, { there: true })
})

function openThings() {
  const positions = { newest: 41, behindMs: 12.3 }
  const app = testApp(
    [readThings.endpoint(undefined), writeThings.endpoint(() => void (positions.newest = 42))],
    { positions },
  )
  return async (method: string, wanted?: string) => {
    const headers = wanted === undefined ? {} : { 'If-Position-At-Least': wanted }
    const request = new Request('http://localhost/api/things', { method, headers })
    const response = await app.fetch(request, '127.0.0.1')
    const { headers: said, status } = response
    return [status, said.get('x-sedge-position'), said.get('x-sedge-behind-ms')]
  }
}

test('a read says what it shows, and by how much it may be behind', async () => {
  const ask = openThings()
  expect(await ask('GET')).toEqual([200, '41', '13'])
  expect(await ask('HEAD')).toEqual([200, '41', '13'])
})

test('a write says from which position on it is shown, and can be waited for', async () => {
  const ask = openThings()
  expect(await ask('GET', '42')).toEqual([412, null, null])
  expect(await ask('POST')).toEqual([200, '42', null])
  expect(await ask('GET', '42')).toEqual([200, '42', '13'])
})

test.each(['-1', '1.0', '1e3', ' ', '', '4 2', 'soon', '1'.repeat(16)])(
  'the position "%s" is none',
  async (wanted) => {
    expect(await openThings()('GET', wanted)).toEqual([400, null, null])
  },
)

test('what any node answers declares both fields, and what only one answers does not', () => {
  expect(readThings.requestHeaders).toHaveProperty('If-Position-At-Least')
  expect(readThings.responseHeaders).toHaveProperty('X-Sedge-Position')
  expect(readThings.responseHeaders).toHaveProperty('X-Sedge-Behind-Ms')
  expect(writeThings.requestHeaders).toBeUndefined()
})
