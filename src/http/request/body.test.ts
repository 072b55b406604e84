import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { maxJsonDepth, parseJson, readBody } from './body.ts'
import { isDeeperThan } from './json-depth.ts'

const anyJson = z.unknown()

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://sedge.test/', { method: 'POST', body, headers })
}

async function refusal(work: () => unknown): Promise<ServiceError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const read = (request: Request, schema: z.ZodType = anyJson, maxBytes?: number) =>
  readBody({ kind: 'json', schema, ...(maxBytes !== undefined && { maxBytes }) }, request)

test('any JSON value is read back as it was sent', async () => {
  const value = fc.jsonValue({ maxDepth: maxJsonDepth - 2 })
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      const text = JSON.stringify(json)
      expect(JSON.stringify(await read(post(text)))).toBe(text)
    }),
  )
})

const malformed: readonly [string, BodyInit][] = [
  ['nothing', ''],
  ['half an object', '{"a":'],
  ['single quotes', "{'a':1}"],
  ['a trailing comma', '[1,]'],
  ['two values', '{}{}'],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
  ['a lone surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['NUL', '\0'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
]
for (const [name, body] of malformed)
  test(`${name} is malformed`, async () => {
    const { code, target, message } = await refusal(() => read(post(body)))
    expect([code, target]).toEqual(['InvalidParameter', 'body'])
    expect(message).toBe('body must be well-formed JSON in UTF-8')
  })

test('a byte order mark is passed over', async () => {
  expect(await read(post('\ufeff{"a":1}'))).toEqual({ a: 1 })
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test(`${maxJsonDepth} levels are taken, one more is refused, 200,000 too`, async () => {
  expect(await read(post(nested(maxJsonDepth)))).toBeArray()
  for (const depth of [maxJsonDepth + 1, 200_000]) {
    const { code, message } = await refusal(() => read(post(nested(depth))))
    expect(code).toBe('InvalidParameter')
    expect(message).toContain('32 levels')
  }
})

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

test('depth is counted as a parser would, brackets and quotes inside strings left out', () => {
  const leaf = fc.string({ unit: fc.constantFrom(...'[]{}"\\a'.split('')) })
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(leaf, tie('tree'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const depth = depthOf(value)
      const bytes = Buffer.from(JSON.stringify(value))
      expect(isDeeperThan(depth, bytes)).toBe(false)
      if (depth > 0) expect(isDeeperThan(depth - 1, bytes)).toBe(true)
    }),
  )
})

test('arbitrary bytes are JSON or refused, never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        parseJson(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    }),
  )
})

test('scanning for depth takes linear time on a string of quotes and backslashes', () => {
  const started = performance.now()
  isDeeperThan(32, Buffer.from('"'.repeat(2_000_000)))
  isDeeperThan(32, Buffer.from(`"${'\\"'.repeat(1_000_000)}`))
  isDeeperThan(32, Buffer.from(`"${'\\'.repeat(2_000_000)}"`))
  expect(performance.now() - started).toBeLessThan(2000)
})

test('a member called __proto__ changes no prototype, and of a repeated one the last counts', async () => {
  const text =
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":1,"a":2}'
  for (const schema of [
    anyJson,
    z.object({ a: z.number() }),
    z.looseObject({ a: z.number() }),
    z.record(z.string(), z.unknown()),
  ]) {
    const value = (await read(post(text), schema)) as { a: number; polluted?: boolean }
    expect(value.a).toBe(2)
    expect(value.polluted).toBeUndefined()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  }
})

test('every fault of the shape is named, in words of ours', async () => {
  const schema = z.object({
    name: z.string().min(1),
    count: z.int().max(5),
    files: z.array(z.object({ path: z.string(), encoding: z.enum(['base64', 'utf-8']) })),
    own: z.string().regex(/^x$/u, 'must be an x'),
  })
  const body = JSON.stringify({
    name: '',
    count: 9,
    files: [{ path: 1 }, { path: 'a', encoding: 'hex' }],
    own: 'y',
  })
  const { details, message, target } = await refusal(() => read(post(body), schema))
  expect(details).toEqual([
    { target: 'name', message: 'name must have at least 1 character' },
    { target: 'count', message: 'count must be at most 5' },
    { target: 'files[0].path', message: 'files[0].path must be a string' },
    { target: 'files[0].encoding', message: 'files[0].encoding must be one of base64, utf-8' },
    { target: 'files[1].encoding', message: 'files[1].encoding must be one of base64, utf-8' },
    { target: 'own', message: 'own must be an x' },
  ])
  expect(target).toBe('name')
  expect(message).toBe('name must have at least 1 character (and 5 more, see details)')
})

test('a body that is no object at all is a fault of the body', async () => {
  for (const text of ['null', '1', '"x"', '[]']) {
    const { details } = await refusal(() => read(post(text), z.object({ a: z.string() })))
    expect(details).toEqual([{ target: 'body', message: 'body must be an object' }])
  }
})

test('only a Content-Type that is not JSON is refused, and only with a body', async () => {
  for (const type of ['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/x+json'])
    expect(await read(post('{}', { 'Content-Type': type }))).toEqual({})
  expect(await read(post(Buffer.from('{}')))).toEqual({})
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'json',
    'application/jsonp',
  ]) {
    const { code } = await refusal(() => read(post('{}', { 'Content-Type': type })))
    expect(code).toBe('UnsupportedMediaType')
  }
  const { code } = await refusal(() => read(post('', { 'Content-Type': 'text/plain' })))
  expect(code).toBe('InvalidParameter')
})

test('JSON over the limit is refused, unread where the length is announced', async () => {
  const isRead = { yes: false }
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead.yes = true
          controller.enqueue(new Uint8Array(100))
        },
      },
      { highWaterMark: 0 },
    )
  const announced = await refusal(() =>
    read(post(body(), { 'Content-Length': '101' }), anyJson, 100),
  )
  expect([announced.code, announced.context]).toEqual(['PayloadTooLarge', { MaxSize: 100 }])
  expect(isRead.yes).toBe(false)
  const streamed = await refusal(() => read(post(body()), anyJson, 150))
  expect([streamed.code, streamed.context]).toEqual(['PayloadTooLarge', { MaxSize: 150 }])
})

test('a body that breaks off is the caller’s fault', async () => {
  const broken = new ReadableStream({
    pull: () => Promise.reject(new Error('connection reset by peer')),
  })
  const { code, message } = await refusal(() => read(post(broken)))
  expect([code, message]).toEqual(['InvalidParameter', 'body must be complete'])
})
