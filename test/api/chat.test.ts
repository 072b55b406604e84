import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { account } from '../support/service-process.ts'

/** One network asks more than one should. */
const noRates = { CHATS_PER_MINUTE: '100000', CHATS_PER_DAY: '100000' }

let service: InProcessService

const base = 'https://cdn.example.org'

beforeAll(async () => {
  service = await openInProcess({ environment: { BASE_URL: base, ...noRates } })
  for (const zone of ['acme', 'other', 'shut']) await service.createZone(zone)
  for (const path of [
    'acme/v1/icons/settings-cog.svg',
    'acme/v1/icons/trash.svg',
    'acme/v1/icons/arrow left.svg',
    'acme/v1/logos/acme-logo.png',
    'acme/v1/private/secret-plan.txt',
    'other/v1/icons/settings.svg',
    'shut/v1/icons/key.svg',
  ])
    await service.storage('PUT', encodeURI(path), { body: `content of ${path}` })
  await service.core('PATCH', 'zones/shut', { Suspended: true })
})

afterAll(() => service[Symbol.asyncDispose]())

const post = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  service.fetch(`/api/chat${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

interface JsonReply {
  readonly reply: string
  readonly sources: readonly { readonly title: string; readonly url: string }[]
  readonly confidence: string
  readonly remaining: number
}

async function reply(
  message: string,
  { history = [], headers = {} }: { history?: object[]; headers?: Record<string, string> } = {},
): Promise<JsonReply> {
  const response = await post({ message, history }, { Accept: 'application/json', ...headers })
  expect(response.status).toBe(200)
  return (await response.json()) as JsonReply
}

interface Frame {
  readonly event: string
  readonly data: Record<string, unknown>
}

async function framesOf(response: Response): Promise<readonly Frame[]> {
  const text = await response.text()
  expect(text).toEndWith('\n\n')
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((frame) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/u.exec(frame) ?? []
      return { event, data: JSON.parse(data) as Record<string, unknown> }
    })
}

test('an answer is a stream: metadata, text in pieces, and what could be asked next', async () => {
  const response = await post({ message: 'How many icons does acme have?' })
  const [metadata, ...rest] = await framesOf(response)
  const last = rest.pop()

  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(metadata).toEqual({
    event: 'metadata',
    data: {
      sources: [
        {
          title: 'acme/v1/icons/arrow left.svg',
          url: `${base}/acme/v1/icons/arrow%20left.svg`,
        },
        { title: 'acme/v1/icons/settings-cog.svg', url: `${base}/acme/v1/icons/settings-cog.svg` },
        { title: 'acme/v1/icons/trash.svg', url: `${base}/acme/v1/icons/trash.svg` },
      ],
      confidence: 'high',
      source: 'extractive',
      degraded: false,
      remaining: expect.any(Number),
    },
  })
  expect(rest.every(({ event }) => event === 'token')).toBe(true)
  expect(rest.map(({ data }) => data['text']).join('')).toStartWith('3 public icons in zone acme')
  expect(last?.event).toBe('done')
  expect(last?.data['followUps']).toEqual(expect.any(Array))
})

test('whoever prefers JSON gets one object', async () => {
  const response = await post({ message: 'How do I rotate a key?' }, { Accept: 'application/json' })

  expect(await response.json()).toEqual({
    HttpCode: 200,
    Message: expect.any(String),
    reply: expect.stringContaining('[1]'),
    sources: expect.arrayContaining([
      { title: expect.any(String), url: expect.stringMatching(/^https:\/\/cdn\.example\.org\//u) },
    ]),
    confidence: expect.stringMatching(/^(?:high|medium|low)$/u),
    source: 'extractive',
    degraded: true,
    remaining: expect.any(Number),
    followUps: expect.any(Array),
  })
  for (const accept of ['text/event-stream, application/json', '*/*', 'text/html', ''])
    expect((await post({ message: 'hello' }, { Accept: accept })).headers.get('content-type')).toBe(
      'text/event-stream',
    )
})

test('with format=ai-sdk the events are those of the UI message stream', async () => {
  const response = await post({ message: 'Find the trash icon' }, {}, '?format=ai-sdk')
  const frames = (await response.text()).trim().split('\n\n')
  const parts = frames.slice(0, -1).map((frame) => JSON.parse(frame.slice(6)) as { type: string })

  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  expect(frames.at(-1)).toBe('data: [DONE]')
  expect(parts[0]).toEqual({ type: 'start' })
  expect(parts[1]).toMatchObject({
    type: 'source-url',
    sourceId: '1',
    url: `${base}/acme/v1/icons/trash.svg`,
  })
  expect([...new Set(parts.map(({ type }) => type))]).toEqual([
    'start',
    'source-url',
    'data-metadata',
    'text-start',
    'text-delta',
    'text-end',
    'data-follow-ups',
    'finish',
  ])
  expect((await post({ message: 'hi' }, {}, '?format=other')).status).toBe(400)
})

test('what is wrong is refused in the flat envelope and does not count', async () => {
  const { remaining } = await reply('hello')
  const turn = { role: 'user', content: 'x' }
  const wrong: readonly unknown[] = [
    {},
    { message: '' },
    { message: ' \n' },
    { message: 7 },
    { message: null },
    { message: ['x'] },
    { message: 'x'.repeat(4_001) },
    { message: 'x', history: 'x' },
    { message: 'x', history: null },
    { message: 'x', history: {} },
    { message: 'x', history: ['x'] },
    { message: 'x', history: [{ role: 'user' }] },
    { message: 'x', history: [{ content: 'x' }] },
    { message: 'x', history: [{ ...turn, role: 'system' }] },
    { message: 'x', history: [{ ...turn, content: [] }] },
    { message: 'x', history: [turn, { ...turn, role: 'USER' }] },
    [],
    'x',
    null,
  ]
  for (const body of wrong) {
    const response = await post(body)
    const { code } = (await response.json()) as { code: string }
    expect({ body, status: response.status, code }).toEqual({
      body,
      status: 400,
      code: 'InvalidParameter',
    })
  }
  const malformed = await service.fetch('/api/chat', { method: 'POST', body: '{"message": ' })
  expect(malformed.status).toBe(400)
  const large = await post({
    message: 'x',
    history: [{ role: 'user', content: 'x'.repeat(2 ** 20) }],
  })
  expect(large.status).toBe(413)
  expect((await service.fetch('/api/chat')).status).toBe(405)

  expect((await reply('hello')).remaining).toBe(remaining - 1)
})

test('every message that may be sent is answered, whatever it says', async () => {
  const turns = Array.from({ length: 40 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: `List the icons ${place}`,
  }))
  for (const message of [
    'x'.repeat(4_000),
    'how many '.repeat(400),
    'a/v1/'.repeat(800),
    '(a+)+$ ^[[[ \\ {{}}',
    '\u0000\u0007\u202e\u200b x',
    '有多少图标? Сколько? كم عدد؟ ⚙️',
    '../../etc/passwd /v1/ %00%ff%',
    '"; DROP TABLE assets; --',
    '<img src=x onerror=alert(1)>',
    '999999 wide 0x0 webp of it',
    'event: done\ndata: {}\n\n',
  ])
    for (const history of [[], turns])
      expect((await reply(message, { history })).reply.length).toBeGreaterThan(0)
})

test('what a word means is answered by what defines it, and not with a list of files', async () => {
  for (const [message, meaning] of [
    ['What is a zone?', 'is a tenant'],
    ['What is an asset?', 'is a file in a zone'],
    ['What does variant mean?', 'the result of a transform'],
  ] as const) {
    const { reply: text, sources } = await reply(message)
    expect(text.split('\n')[0]).toContain(meaning)
    expect(sources[0]?.url).toStartWith(`${base}/docs/`)
  }
})

test('nobody hears of what is private or in a zone that is shut', async () => {
  for (const message of [
    'How many files are there?',
    'List all files',
    'List the files in shut',
    'Find the secret plan',
    'Find the key icon',
    'Show me acme/v1/private/secret-plan.txt',
    'How many txt files does acme have?',
    'What is the largest file in acme?',
    '800 wide webp of shut/v1/icons/key.svg',
    'Which zones are there?',
    'Which categories does acme have?',
  ]) {
    const { reply: text, sources } = await reply(message)
    const said = `${text} ${JSON.stringify(sources)}`
    expect({ message, said }).toEqual({
      message,
      said: expect.not.stringMatching(/secret-plan|key\.svg|\bshut\/|\bprivate\b/u),
    })
  }
  expect((await reply('How many files are there?')).reply).toStartWith('5 public files')
})

test('a token that reaches some zones hears of nothing in others', async () => {
  const created = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'narrow', scopes: ['assets:read'], zones: ['other'] }),
  })
  const { token } = (await created.json()) as { token: string }
  const headers = { Authorization: `Bearer ${token}` }

  expect((await reply('How many icons are there?', { headers })).reply).toStartWith('1 public icon')
  expect((await reply('Which zones are there?', { headers })).reply).not.toContain('acme')
})

test('addresses of other versions of an image are checked before they are given', async () => {
  const url = async (message: string, history: object[] = []) =>
    (await reply(message, { history })).reply

  expect(await url('acme/v1/logos/acme-logo.png 300 wide as webp')).toStartWith(
    '/api/transform?url=/acme/v1/logos/acme-logo.png&w=300&format=webp',
  )
  expect(await url('200x100 of the arrow left icon')).toStartWith(
    '/api/transform?url=/acme/v1/icons/arrow%20left.svg&w=200&h=100',
  )
  expect(await url('acme/v1/logos/acme-logo.png 9000 wide')).toContain('1 to 8192')
  expect(await url('acme/v1/logos/acme-logo.png at quality 0')).toContain('1 to 100')
  const history = [
    { role: 'user', content: 'Find the trash icon' },
    { role: 'assistant', content: 'The best match is acme/v1/icons/trash.svg [1].' },
  ]
  expect(await url('64 wide png of that', history)).toContain('trash.svg&w=64&format=png')
})

test('of a thousand messages a month one more is refused', async () => {
  await using small = await openInProcess({ environment: noRates })
  const ask = () =>
    small.fetch('/api/chat', {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
  const { remaining } = (await (await ask()).json()) as JsonReply
  expect(remaining).toBe(999)
  const statuses = await Promise.all(
    Array.from({ length: 1_000 }, async () => (await ask()).status),
  )
  const refused = await ask()

  expect(statuses.filter((status) => status === 200).length).toBe(999)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: 'limit_reached', code: 'limit_reached' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the word zone, or category, beside a name makes no other question of a count', async () => {
  const counted = async (message: string) => /^\d+/u.exec((await reply(message)).reply)?.[0]
  const ofZone = await counted('How many assets does acme have?')
  const ofIcons = await counted('How many icons are there?')
  expect(Number(ofZone)).toBeGreaterThan(0)
  for (const message of [
    'How many assets are in zone acme?',
    'How many files are in the zone acme?',
    'How many files are there in project acme?',
  ])
    expect({ message, count: await counted(message) }).toEqual({ message, count: ofZone })
  expect(await counted('How many files are in the icons category?')).toBe(ofIcons)
  expect((await reply('How many assets are in zone nosuch?')).reply).toBe(
    'There are no public files in zone nosuch.',
  )
})

test('whatever is asked before the documentation is worked through has an answer', async () => {
  for (const message of [
    'How many assets are in zone medico?',
    'How many retries does a webhook have?',
    'How long until a file is live?',
    'How many zebras are there?',
    'zone',
    'Which zone names are reserved?',
  ])
    expect({ message, said: (await reply(message)).reply }).toEqual({
      message,
      said: expect.stringMatching(/\S/u),
    })
})

test('an icon is found by what it is for, in any form of the word', async () => {
  for (const message of ['find me an icon for deleting things', 'I need a deletion icon'])
    expect({ message, said: (await reply(message)).reply }).toEqual({
      message,
      said: expect.stringContaining('acme/v1/icons/trash.svg'),
    })
})
