import { expect, test } from 'bun:test'
import { z } from 'zod'

import { endpoints, operation } from './operation.ts'
import { testApp } from './testing.ts'

const named = z.object({ HttpCode: z.literal(201), Name: z.string(), Kind: z.enum(['a', 'b']) })
const described = {
  id: 'makeThing',
  plane: 'things',
  method: 'post',
  path: '/api/things',
  summary: 'Make a thing',
  access: 'public',
  envelope: 'standard',
} as const
const makeThing = operation({
  ...described,
  body: { kind: 'json', schema: z.object({ Name: z.string() }) },
  responses: { 201: { description: 'Made', schema: named }, 404: { description: 'None' } },
})

interface Dependencies {
  readonly kinds: readonly ('a' | 'b')[]
}

test('an operation is there without anything that serves it', () => {
  const handled = makeThing.handledBy((_parts: Dependencies) => () => expect.unreachable())
  expect(handled).toMatchObject(described)
  expect(handled.responses).toBe(makeThing.responses)
})

test('its handler is made once, with what it works with, and answers through respond', async () => {
  let opened = 0
  const handled = makeThing.handledBy(({ kinds: [Kind = 'a'] }: Dependencies) => {
    opened += 1
    return async ({ body: { Name }, respond }) =>
      respond(201, { HttpCode: 201, Name, Kind }, { 'X-Made': 'here' })
  })
  const app = testApp(endpoints([handled], { kinds: ['b'] }))
  for (const Name of ['one', 'two']) {
    const body = JSON.stringify({ Name })
    const request = new Request('http://sedge.test/api/things', { method: 'POST', body })
    const response = await app.fetch(request, '192.0.2.1')
    expect(response.status).toBe(201)
    expect(response.headers.get('x-made')).toBe('here')
    expect(await response.json()).toEqual({ HttpCode: 201, Name, Kind: 'b' })
  }
  expect(opened).toBe(1)
})

/** What must not compile; nothing of it is run. */
export function refused() {
  const made = { HttpCode: 201, Name: 'one', Kind: 'a' } as const
  makeThing.handledBy(() => async ({ respond }) => {
    // @ts-expect-error -- a status that is not declared
    respond(200, made)
    // @ts-expect-error -- a status that is declared without a body: refusals are thrown
    respond(404, made)
    // @ts-expect-error -- a member that is missing
    respond(201, { HttpCode: 201, Name: 'one' })
    // @ts-expect-error -- a member that is not declared
    respond(201, { HttpCode: 201, Name: 'one', Kind: 'a', Size: 1 })
    // @ts-expect-error -- a value that the schema does not take
    respond(201, { HttpCode: 201, Name: 'one', Kind: 'c' })
    return respond(201, made)
  })
  // @ts-expect-error -- a response that nothing was checked of
  makeThing.handledBy(() => async () => Response.json(made, { status: 201 }))
  // @ts-expect-error -- a reply that respond did not make
  makeThing.handledBy(() => async () => ({ status: 201, json: made }))
  const handled = makeThing.handledBy(
    (_parts: Dependencies) =>
      async ({ respond }) =>
        respond(201, made),
  )
  // @ts-expect-error -- without what the handler works with
  endpoints([handled], {})
  // @ts-expect-error -- more than any of the handlers works with
  endpoints([handled], { kinds: [], names: [] })
  const bytes = { 200: { description: 'Bytes', contentType: 'image/png' } } as const
  return operation({ ...described, responses: bytes }).handledBy(
    () => async () => new Response('bytes', { headers: { 'Content-Type': 'image/png' } }),
  )
}
