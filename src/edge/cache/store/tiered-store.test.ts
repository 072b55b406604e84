import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { defaultCachePolicy } from '../rfc9111/cache-policy.ts'
import { setUpCacheWith, statusOf, type Origin } from '../testing.ts'
import { TieredStore } from './tiered-store.ts'

const mebibyte = 2 ** 20
const lasting = { 'cache-control': 'max-age=3600', etag: '"a"' }

async function setUpTiers(
  origin: Origin,
  { maxMemoryBytes = mebibyte, maxDiskBytes = 64 * mebibyte } = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-tiers-'))
  const policy = defaultCachePolicy
  const store = await TieredStore.open({ directory, maxMemoryBytes, maxDiskBytes, policy })
  const edge = setUpCacheWith(store, { origin })
  return {
    ...edge,
    directory,
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

/** `size` bytes that are not all the same, made of `path`. */
const bytesOf = (path: string, size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.alloc(size, `${path} `))

/** Answers `/name/<size>` with that many bytes. */
const sized: Origin = ({ url }) => {
  const { pathname } = new URL(url)
  return new Response(bytesOf(pathname, Number(pathname.split('/')[2])), { headers: lasting })
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

const bodyFilesIn = async (directory: string): Promise<string[]> =>
  (await filesIn(directory)).filter((path) => /\/[0-9a-f]{64}$/u.test(path))

async function* chunksOf(answer: Response | undefined): AsyncGenerator<Uint8Array, undefined> {
  const reader = answer?.body?.getReader()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
    yield read.value
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await Bun.sleep(1)
}

const large = '/large/3000000'

test('a body too large for memory goes to disk while it comes in, and is served from there', async () => {
  await using edge = await setUpTiers(sized)
  const miss = await (await edge.get(large)).bytes()
  await until(() => edge.store.peek(`https://cache.test${large}`).length > 0)
  const hit = await edge.get(large)
  const range = await edge.get(large, { range: 'bytes=1000000-1000009' })

  expect(Buffer.compare(miss, bytesOf(large, 3_000_000))).toBe(0)
  expect(statusOf(hit)).toStartWith('sedge; hit')
  expect(Buffer.compare(await hit.bytes(), miss)).toBe(0)
  expect(Buffer.compare(await range.bytes(), miss.slice(1_000_000, 1_000_010))).toBe(0)
  expect(edge.asked).toHaveLength(1)
})

test('over a real socket a file has its length, and Bun cuts nothing that it was not told to', async () => {
  await using edge = await setUpTiers(sized)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => edge.cache.fetch(request),
  })
  const ask = (headers: Record<string, string> = {}) =>
    fetch(new URL(large, server.url), { headers })
  try {
    await (await ask()).bytes()
    await until(async () => (await bodyFilesIn(edge.directory)).length === 1)
    await until(async () => statusOf(await ask()).includes('hit'))
    const whole = await ask()
    const cut = await ask({ range: 'bytes=5-9' })
    const changed = await ask({ range: 'bytes=5-9', 'if-range': '"b"' })
    const several = await ask({ range: 'bytes=0-1,2999998-' })

    expect(whole.headers.get('content-length')).toBe('3000000')
    expect((await whole.bytes()).length).toBe(3_000_000)
    expect([cut.status, cut.headers.get('content-range')]).toEqual([206, 'bytes 5-9/3000000'])
    expect(Buffer.compare(await cut.bytes(), bytesOf(large, 10).slice(5))).toBe(0)
    expect([changed.status, (await changed.bytes()).length]).toEqual([200, 3_000_000])
    expect(several.headers.get('content-type')).toStartWith('multipart/byteranges')
    expect(await several.text()).toContain('Content-Range: bytes 2999998-2999999/3000000')
  } finally {
    await server.stop(true)
  }
})

test('followers read a body that spills into a file, each at its own pace', async () => {
  await using edge = await setUpTiers(() => {
    let left = 40
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(0)
        if (left === 0) return controller.close()
        controller.enqueue(new Uint8Array(100_000).fill(left))
        left -= 1
      },
    })
    return new Response(body, { headers: { ...lasting, 'content-length': '4000000' } })
  })
  const [slow, ...fast] = await Promise.all(Array.from({ length: 5 }, () => edge.get('/a')))
  const follower = chunksOf(slow)
  const chunks = [(await follower.next()).value ?? new Uint8Array()]
  const digests = await Promise.all(fast.map(async (answer) => Bun.hash(await answer.bytes())))
  for await (const chunk of follower) chunks.push(chunk)
  const whole = new Uint8Array(Buffer.concat(chunks))

  expect(whole.length).toBe(4_000_000)
  expect(new Set([...digests, Bun.hash(whole)]).size).toBe(1)
  expect(edge.asked).toHaveLength(1)
})

test('what was used and had to leave memory comes back from disk', async () => {
  await using edge = await setUpTiers(sized)
  const paths = Array.from({ length: 60 }, (_, index) => `/used${index}/30000`)
  for (let round = 0; round < 4; round += 1)
    for (const path of paths) for (const _ of [1, 2, 3]) await (await edge.get(path)).bytes()
  await until(async () => (await filesIn(edge.directory)).length > 40)
  const asked = edge.asked.length
  const bodies = await Promise.all(paths.map(async (path) => (await edge.get(path)).bytes()))

  expect(edge.asked.length - asked).toBeLessThan(10)
  for (const [index, path] of paths.entries())
    expect(Buffer.compare(bodies[index] ?? new Uint8Array(), bytesOf(path, 30_000))).toBe(0)
})

for (const [damage, change] of [
  ['changed', (path: string, size: number) => Bun.write(path, new Uint8Array(size))],
  ['cut', (path: string) => Bun.write(path, 'short')],
  ['gone', (path: string) => rm(path)],
] as const)
  test(`a body file that is ${damage} is a miss`, async () => {
    await using edge = await setUpTiers(sized)
    await (await edge.get(large)).bytes()
    await until(() => edge.store.peek(`https://cache.test${large}`).length > 0)
    const [file = ''] = await bodyFilesIn(edge.directory)
    await Bun.sleep(2)
    await change(file, 3_000_000)
    const answer = await edge.get(large)

    expect(statusOf(answer)).toContain('fwd=uri-miss')
    expect(Buffer.compare(await answer.bytes(), bytesOf(large, 3_000_000))).toBe(0)
  })

test('a body that breaks off leaves nothing on disk', async () => {
  await using edge = await setUpTiers(() => {
    let left = 30
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1
        if (left === 0) controller.error(new Error('broken off'))
        else controller.enqueue(new Uint8Array(100_000))
      },
    })
    return new Response(body, { headers: lasting })
  })
  const answer = await edge.get('/a')

  expect(answer.bytes()).rejects.toThrow('broken off')
  await until(async () => (await filesIn(edge.directory)).length === 0)
  expect(edge.store.has('https://cache.test/a')).toBe(false)
})

test('a purge covers what is on disk as well', async () => {
  await using edge = await setUpTiers(sized)
  await (await edge.get(large)).bytes()
  await until(() => edge.store.peek(`https://cache.test${large}`).length > 0)
  edge.generations.purge({ urls: [large] })
  await (await edge.get(large)).bytes()

  expect(edge.asked).toHaveLength(2)
})

test('the disk is bounded, and what an earlier process left is dropped', async () => {
  await using edge = await setUpTiers(sized, { maxDiskBytes: 4 * mebibyte })
  await Bun.write(join(edge.directory, 'sedge-edge-cache', 'records', 'old'), 'left behind')
  for (let index = 0; index < 16; index += 1) await (await edge.get(`/many${index}/300000`)).bytes()

  expect(edge.store.diskBytes).toBeLessThanOrEqual(4 * mebibyte)
  expect(edge.store.diskBytes).toBeGreaterThan(2 * mebibyte)
  const { directory } = edge
  await using again = await TieredStore.open({
    directory,
    maxMemoryBytes: mebibyte,
    maxDiskBytes: mebibyte,
    policy: defaultCachePolicy,
  })
  expect(again.has('https://cache.test/many15/300000')).toBe(false)
  expect(await filesIn(directory)).toEqual([])
})

test('equal bodies are kept once', async () => {
  const body = bytesOf('same', 3_000_000)
  await using edge = await setUpTiers(() => new Response(body, { headers: lasting }))
  for (const path of ['/a', '/b', '/c']) await (await edge.get(path)).bytes()
  await until(() => ['/a', '/b', '/c'].every((path) => edge.store.has(`https://cache.test${path}`)))

  expect(await bodyFilesIn(edge.directory)).toHaveLength(1)
})

test('a disk that cannot be written costs no answer', async () => {
  await using edge = await setUpTiers(sized)
  await rm(join(edge.directory, 'sedge-edge-cache'), { recursive: true })
  const answer = await edge.get(large)

  expect(Buffer.compare(await answer.bytes(), bytesOf(large, 3_000_000))).toBe(0)
})
