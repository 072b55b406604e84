import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { blue, painted } from '../fixtures/sample-images.ts'
import { MemoryEmbedder } from '../../src/adapters/memory/media/memory-embedder.ts'
import { startModelServer, streamed } from '../../src/adapters/openai/fixtures/model-server.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

interface Answer {
  readonly mode: string
  readonly degraded: boolean
  readonly results: readonly { readonly name: string }[]
}

/** Asks from an address of its own each time, so that no limit is reached. */
const asking = (service: InProcessService) => {
  let asked = 0
  return async (question: string): Promise<Answer> => {
    asked += 1
    const headers = { 'X-Forwarded-For': `203.0.113.${asked % 250}` }
    const path = `/api/search?q=${encodeURIComponent(question)}`
    const response = await service.fetch(path, { headers })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }
}

const withModel = { SEARCH_BY_NAME_ONLY: 'false', TRUSTED_PROXIES: '127.0.0.1' }
const namesOf = ({ results }: Answer) => results.map(({ name }) => name)

test('a file is found by name at once, by its meaning soon, and not at all once it is gone', async () => {
  await using service = await openInProcess({ environment: withModel })
  const ask = asking(service)
  await service.createZone('acme')
  const put = (path: string) => service.storage('PUT', `acme/v1/${path}`, { body: path })
  for (const name of ['house', 'violin', 'airplane']) await put(`pictures/${name}.txt`)
  expect(namesOf(await ask('violin'))[0]).toBe('violin.txt')
  await until(async () => !(await ask('violin')).degraded)

  await put('pictures/trash.txt')
  expect(namesOf(await ask('trash'))[0]).toBe('trash.txt')
  await until(async () => namesOf(await ask('garbage bin'))[0] === 'trash.txt')
  // Where the cores are busy the vector of a new question comes too late for its first response.
  await until(async () => (await ask('flying to a holiday')).mode === 'vector')
  expect(namesOf(await ask('flying to a holiday'))[0]).toBe('airplane.txt')
  expect(namesOf(await ask('garbage bin'))[0]).toBe('trash.txt')

  await service.storage('DELETE', 'acme/v1/pictures/trash.txt')
  expect(namesOf(await ask('garbage bin'))).not.toContain('trash.txt')
  await put('private/trash.txt')
  await until(async () => !(await ask('garbage bin')).degraded)
  for (const question of ['garbage bin', 'trash', 'acme/v1/private/trash.txt'])
    expect(namesOf(await ask(question))).not.toContain('trash.txt')
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  for (const question of ['musical instrument', 'violin', 'acme/v1/pictures/violin.txt'])
    expect((await ask(question)).results).toEqual([])
  await service.core('PATCH', 'zones/acme', { Suspended: false })
  await until(async () => namesOf(await ask('musical instrument'))[0] === 'violin.txt')
}, 60_000)

/** Answers with vectors of few parts, so that they cannot be taken for those of another model. */
function startEmbeddings(isUp: () => boolean) {
  const words = new MemoryEmbedder({ instrument: 'violin' })
  const server = startModelServer(async () => {
    if (!isUp()) return new Response('{"data": [{"embedding', { status: 200 })
    const vector = await words.embed(String(server.requests.at(-1)?.body['input']))
    return Response.json({ data: [{ embedding: Array.from(vector) }] })
  })
  return server
}

test('when an endpoint takes over, the model of before answers until it has, be the endpoint down', async () => {
  await using directory = await temporaryDirectory()
  const data = { DATA_DIR: join(directory.path, 'data'), ...withModel }
  {
    await using service = await openInProcess({ environment: data })
    const ask = asking(service)
    await service.createZone('acme')
    for (const name of ['house', 'violin'])
      await service.storage('PUT', `acme/v1/pictures/${name}.txt`, { body: name })
    await until(async () => (await ask('musical instrument')).mode === 'vector')
  }
  let isUp = false
  await using server = startEmbeddings(() => isUp)
  await using service = await openInProcess({
    environment: { ...data, EMBED_BASE_URL: server.baseUrl, EMBED_MODEL: 'words' },
  })
  const ask = asking(service)
  await until(async () => (await ask('musical instrument')).mode === 'vector')
  expect(await ask('musical instrument')).toMatchObject({ degraded: false })
  expect(server.requests.length).toBeGreaterThan(0)

  isUp = true
  const asked = () => server.requests.map(({ body }) => body['input'])
  await until(async () => {
    await ask('an instrument')
    return asked().includes('an instrument')
  })
  expect(namesOf(await ask('an instrument'))[0]).toBe('violin.txt')
}, 90_000)

test('whatever an endpoint for meaning does, searches and answers are whole', async () => {
  const faults: Readonly<Record<string, () => Response | Promise<Response>>> = {
    'an error': () => new Response('no', { status: 500 }),
    garbage: () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    'a vector of nothing': () => Response.json({ data: [{ embedding: [null, 'x'] }] }),
    'an end in mid-answer': () => streamed(['{"data": [{"embedding": [0.1, '], { after: 'break' }),
    silence: () => new Promise<Response>(() => {}),
    'silence in mid-answer': () =>
      streamed(['{"data": [{"embedding": [0.1, '], { after: 'silence' }),
  }
  for (const [what, respond] of Object.entries(faults)) {
    await using server = startModelServer(respond)
    await using service = await openInProcess({
      environment: { ...withModel, EMBED_BASE_URL: server.baseUrl, EMBED_MODEL: 'words' },
    })
    await service.createZone('acme')
    await service.storage('PUT', 'acme/v1/pictures/violin.txt', { body: 'x' })
    const found = await asking(service)('violin')
    expect({ what, ...found }).toMatchObject({ what, mode: 'fuzzy', degraded: true })
    expect(namesOf(found)).toEqual(['violin.txt'])
    const chat = await service.fetch('/api/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ message: 'How do I make a backup?' }),
    })
    expect({ what, status: chat.status }).toEqual({ what, status: 200 })
    expect(await chat.json()).toMatchObject({
      degraded: true,
      source: 'extractive',
      reply: expect.stringContaining('[1]'),
    })
  }
}, 60_000)

test('an image has its measures at once, and is found by its colour as soon as its pixels are looked at', async () => {
  await using service = await openInProcess({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  await service.createZone('acme')
  const body = await painted({ width: 300, height: 100 }, () => blue)
    .png()
    .toBuffer()
  await service.storage('PUT', 'acme/v1/banners/first.png', { body: new Uint8Array(body) })
  const response = await service.fetch('/api/assets/metadata?path=acme/v1/banners/first.png', {
    headers: access,
  })
  expect(await response.json()).toMatchObject({ Width: 300, Height: 100, Animated: false })
  const ask = asking(service)
  await until(async () => namesOf(await ask('blue'))[0] === 'first.png')
}, 30_000)
