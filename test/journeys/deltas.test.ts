import { afterAll, beforeAll, expect, test } from 'bun:test'
import { zstdDecompressSync } from 'node:zlib'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { type World, worldOf } from '../support/world.ts'

/** What clients have already is not sent again (RFC 9842). */
const opened = new AsyncDisposableStack()
let service: LocalService
let world: World

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  world = worldOf(service)
  await world.zone('acme')
  await world.zone('other')
})
afterAll(() => opened.disposeAsync())

/** A script of 200 KB in which hardly a line is like another. */
const scriptOf = (seed: number): string =>
  Array.from(
    { length: 3_000 },
    (_, line) =>
      `export const v${line} = (a) => a * ${(line * 7_919 + seed) % 10_007} // ${line}\n`,
  ).join('')
const first = scriptOf(1)
const second = first.replace('v1500 = (a) => a', 'v1500 = (a, b = 2) => b + a')

const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text)
const named = (text: string) => `:${digestOf(text).digest('base64')}:`
const urlOf = (path: string) => `${service.url}/${path}`
const asked = (text: string, more: Readonly<Record<string, string>> = {}) => ({
  'Accept-Encoding': 'gzip, br, zstd, dcb, dcz',
  'Available-Dictionary': named(text),
  ...more,
})

/** As it is sent, and its bytes as they are on the wire. */
async function get(path: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const response = await fetch(urlOf(path), { headers, method, decompress: false })
  return { response, bytes: Buffer.from(await response.bytes()) }
}

async function untilDelta(path: string, headers: Readonly<Record<string, string>>) {
  let got = await get(path, headers)
  await until(async () => {
    got = await get(path, headers)
    return got.response.headers.get('content-encoding') === 'dcz'
  }, `there is no delta of ${path}`)
  return got
}

async function replace(path: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await world.put(path, text)
    await (await fetch(urlOf(path))).text()
  }
}

test('whoever has what stood there before is sent what changed', async () => {
  const path = 'acme/v1/scripts/app.js'
  await replace(path, [first, second])
  const plain = await fetch(urlOf(path))
  expect(plain.headers.get('use-as-dictionary')).toBe(`match="/${path}"`)
  expect(plain.headers.get('vary')).toBe('Accept-Encoding, Available-Dictionary')
  expect(await plain.text()).toBe(second)

  const { response, bytes } = await untilDelta(path, asked(first))
  const sha256 = digestOf(second).digest('hex')
  const from = digestOf(first).digest('hex')
  expect(response.headers.get('etag')).toBe(`"${sha256}-dcz-${from.slice(0, 16)}"`)
  expect(response.headers.get('vary')).toBe('Accept-Encoding, Available-Dictionary')
  expect(response.headers.get('content-type')).toBe(plain.headers.get('content-type') ?? '')
  expect(bytes.length).toBeLessThan(400)
  expect(bytes.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
  expect(bytes.subarray(8, 40).toString('hex')).toBe(from)
  const decoded = zstdDecompressSync(bytes.subarray(40), { dictionary: Buffer.from(first) })
  expect(decoded.toString()).toBe(second)

  const again = await get(
    path,
    asked(first, { 'If-None-Match': response.headers.get('etag') ?? '' }),
  )
  expect(again.response.status).toBe(304)
  const head = await get(path, asked(first), 'HEAD')
  expect(head.response.headers.get('content-length')).toBe(String(bytes.length))
})

test('the delta is there before anybody asks, where the file was read before', async () => {
  const path = 'acme/v1/scripts/early.js'
  await replace(path, [first, second])
  const third = second.replace('v2000', 'w2000')
  await replace(path, [third])
  const { bytes } = await untilDelta(path, asked(second))
  const decoded = zstdDecompressSync(bytes.subarray(40), { dictionary: Buffer.from(second) })
  expect(decoded.toString()).toBe(third)
  // What stood there before that is known too.
  const older = await untilDelta(path, asked(first))
  expect(
    zstdDecompressSync(older.bytes.subarray(40), { dictionary: Buffer.from(first) }).toString(),
  ).toBe(third)
})

test('nothing else is a dictionary, whatever a client says', async () => {
  const path = 'acme/v1/scripts/hostile.js'
  const foreign = scriptOf(2)
  await world.put('other/v1/scripts/secret.js', foreign)
  await world.put('acme/v1/scripts/elsewhere.js', scriptOf(3))
  await replace(path, [first, second])
  await untilDelta(path, asked(first))
  const refused: readonly Readonly<Record<string, string>>[] = [
    asked(foreign),
    asked(scriptOf(3)),
    asked(second),
    asked('nothing that was ever stored'),
    asked(first, { 'Available-Dictionary': digestOf(first).digest('hex') }),
    asked(first, { 'Available-Dictionary': `:${'A'.repeat(4_000)}=:` }),
    asked(first, { 'Available-Dictionary': `${named(first)}, ${named(first)}` }),
    asked(first, { 'Accept-Encoding': 'gzip, br' }),
    asked(first, { 'Accept-Encoding': 'dcz;q=0, br' }),
    // A page of another site that shows it, and has not asked to read it.
    asked(first, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }),
  ]
  for (let time = 0; time < 3; time += 1)
    for (const headers of refused) {
      const { response } = await get(path, headers)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).not.toBe('dcz')
    }
  const allowed = asked(first, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })
  expect((await get(path, allowed)).response.headers.get('content-encoding')).toBe('dcz')
})

test('what is erased is no dictionary any more', async () => {
  const path = 'acme/v1/scripts/erased.js'
  const secret = scriptOf(9)
  const after = secret.replace('v1500', 'w1500')
  await replace(path, [secret, after])
  await untilDelta(path, asked(secret))
  const erased = await fetch(`${service.url}/api/core/erasures`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({
      Sha256: digestOf(secret).digest('hex'),
      Confirm: digestOf(secret).digest('hex'),
      Reason: 'a key was in it',
    }),
  })
  expect(erased.status).toBe(202)
  const { Id } = await erased.json()
  await until(async () => {
    const { response } = await get(path, asked(secret))
    expect(response.status).toBe(200)
    return response.headers.get('content-encoding') !== 'dcz'
  }, 'it is still one')
  await until(async () => {
    const told = await fetch(`${service.url}/api/core/erasures/${Id}`, { headers: account })
    return (await told.json()).State === 'done'
  }, 'it is not erased')
})

test('pictures and small files are as they were', async () => {
  await replace('acme/v1/scripts/small.js', ['let a = 1\n', 'let a = 2\n'])
  const { response } = await get('acme/v1/scripts/small.js', asked('let a = 1\n'))
  expect(response.headers.get('use-as-dictionary')).toBeNull()
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
})
