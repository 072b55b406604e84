import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, type Random, seedOf } from '../support/random.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(6)
const clientCount = 3
const filesEach = 4

test(
  `${cycles} kills during writes to previews and promotions lose nothing and publish nothing by halves`,
  async () => {
    const random = createRandom(seedOf('preview kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = Array.from({ length: clientCount }, (_, index) =>
      createClient(`client-${index}`, random),
    )
    const verify = async (url: string) =>
      await Promise.all(clients.map((client) => client.verify(url)))

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      if (cycle === 0) await prepare(service.url, clients)
      await verify(service.url)
      const working = clients.map((client) => client.work(service.url))
      await Bun.sleep(random.integer(20, 800))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await startService({ dataDirectory })
    await verify(service.url)
    expect(fsck(dataDirectory)).toBe('')
    const writes = clients.reduce((sum, { counts }) => sum + counts.writes, 0)
    const promotions = clients.reduce((sum, { counts }) => sum + counts.promotions, 0)
    console.log(`${cycles} kills, ${writes} writes and ${promotions} promotions, none lost`)
    expect(writes).toBeGreaterThan(0)
  },
  cycles * 20_000 + 60_000,
)

/** What was acknowledged, and what may have become true without anybody hearing. */
interface Known {
  acknowledged: string
  attempted: string | undefined
}

type Client = ReturnType<typeof createClient>

/** Writes the same text into each of its files at once, and makes that live now and then. */
function createClient(name: string, random: Random) {
  const shown: Known = { acknowledged: '404', attempted: undefined }
  const live: Known = { acknowledged: '404', attempted: undefined }
  const counts = { writes: 0, promotions: 0 }
  const paths = Array.from({ length: filesEach }, (_, index) => `shop/v1/${name}/${index}.txt`)
  let number = 0

  async function write(url: string): Promise<void> {
    number += 1
    const content = `${name} ${number}`
    shown.attempted = content
    const files = paths.map((path) => ({ path, content, encoding: 'utf-8' }))
    const response = await fetch(`${url}/api/storage/batch`, {
      method: 'POST',
      headers: { ...access, 'Sedge-Preview': name },
      body: JSON.stringify({ files }),
    })
    expect(response.status).toBe(201)
    Object.assign(shown, { acknowledged: content, attempted: undefined })
    counts.writes += 1
  }

  async function promote(url: string): Promise<void> {
    live.attempted = shown.acknowledged
    const path = `/api/core/zones/shop/previews/${name}/promote`
    const response = await fetch(url + path, { method: 'POST', headers: account, body: '{}' })
    expect(response.status).toBe(200)
    Object.assign(live, { acknowledged: shown.acknowledged, attempted: undefined })
    counts.promotions += 1
  }

  async function textsAt(url: string, headers: object): Promise<readonly string[]> {
    const texts = paths.map(async (path) => {
      const response = await fetch(`${url}/api/storage/${path}`, {
        headers: { ...access, ...headers },
      })
      return response.ok ? await response.text() : String(response.status)
    })
    return [...new Set(await Promise.all(texts))]
  }

  async function verifyOne(known: Known, texts: readonly string[]): Promise<void> {
    const [text = ''] = texts
    expect(texts).toHaveLength(1)
    expect([known.acknowledged, known.attempted]).toContain(text)
    Object.assign(known, { acknowledged: text, attempted: undefined })
  }

  return {
    name,
    counts,
    async work(url: string): Promise<void> {
      try {
        for (;;) await (random.integer(0, 3) === 0 && number > 0 ? promote(url) : write(url))
      } catch (error) {
        // The service was killed meanwhile; what it refused would be a fault.
        if (error instanceof Error && error.message.includes('expect(')) throw error
      }
    },
    async verify(url: string): Promise<void> {
      await verifyOne(shown, await textsAt(url, { 'Sedge-Preview': name }))
      await verifyOne(live, await textsAt(url, {}))
    },
  }
}

async function prepare(url: string, clients: readonly Client[]): Promise<void> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/core/${path}`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
  }
  await post('zones', { Name: 'shop' })
  for (const { name } of clients) await post('zones/shop/previews', { Name: name })
}
