import { expect, test } from 'bun:test'
import { createCipheriv, createHash } from 'node:crypto'
import { join } from 'node:path'

import sharp from 'sharp'

import { type EdgeProcess, edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { filesWithBlocks } from '../support/find-blocks.ts'
import { runGit } from '../support/git-client.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 180_000
/** The figure is of ten; each is a process. */
const edgeCount = Number(process.env['ERASING_EDGES'] ?? 2)

interface Erasure {
  readonly Id: string
  readonly State: string
  readonly Commits: number
  readonly Places: readonly { readonly Place: string; readonly State: string }[]
}

/** The same every time, and of no use to whoever compresses. */
function randomBytes(count: number, key = 'film'): Buffer {
  const cipher = createCipheriv(
    'aes-128-ctr',
    createHash('md5').update(key).digest(),
    Buffer.alloc(16),
  )
  return cipher.update(Buffer.alloc(count))
}

/** An image that hardly compresses. */
const noise = async (side: number): Promise<Buffer> =>
  await sharp(randomBytes(side * side * 3, 'image'), {
    raw: { width: side, height: side, channels: 3 },
  })
    .png()
    .toBuffer()

const statusOf = async (url: string) => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

test(
  'after an erasure no block of the bytes is in any file, here or at any edge, and a stock clone is whole',
  async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    await using service = await startService({ dataDirectory: data })
    const world = worldOf(service)
    const ask = (path: string, body?: unknown) =>
      fetch(`${service.url}/api/core/${path}`, {
        headers: account,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
    await world.zone('acme')
    await fetch(`${service.url}/api/core/zones/acme`, {
      method: 'PATCH',
      headers: account,
      body: JSON.stringify({ History: 'public' }),
    })
    const token = await edgeTokenOf(service.url)
    await using opening = new AsyncDisposableStack()
    const edges: EdgeProcess[] = []
    for (let number = 0; number < edgeCount; number += 1) {
      const name = `edge-${number}`
      const at = { origin: service.url, token, name, directory: join(directory.path, name) }
      edges.push(opening.use(await startEdge(at)))
    }
    const film = randomBytes(64 * 4096)
    const image = await noise(300)
    const put = (path: string, body: Buffer) => world.put(path, new Uint8Array(body))
    await put('acme/v1/films/secret.bin', film)
    const commit = (await runGit(join(data, 'repository.git'), 'rev-parse', 'main')).trim()
    await put('acme/v1/films/secret.png', image)
    await world.put('acme/v1/films/kept.txt', 'kept')
    const urls = ['/acme/v1/films/secret.bin', '/acme/v1/films/secret.png']
    const transform = '/api/transform?url=/acme/v1/films/secret.png&w=200&format=png'
    const pinned = `/@${commit}/acme/v1/films/secret.bin`
    const bases = [service.url, ...edges.map(({ url }) => url)]
    const variants: Buffer[] = []
    for (const base of bases) {
      for (const path of [...urls, pinned])
        await until(async () => (await statusOf(base + path)) === 200)
      const made = await fetch(base + transform)
      expect(made.status).toBe(200)
      variants.push(Buffer.from(await made.arrayBuffer()))
    }
    await world.put('acme/v1/films/secret.bin', 'something else')
    const directories = [data, ...edges.map(({ name }) => join(directory.path, name))]
    expect((await filesWithBlocks(directories, film)).length).toBeGreaterThan(edgeCount)
    expect((await filesWithBlocks(directories, image)).length).toBeGreaterThan(edgeCount)

    const orders: Erasure[] = []
    for (const Path of ['acme/v1/films/secret.bin', 'acme/v1/films/secret.png']) {
      const response = await ask('erasures', { Path, Reason: 'It must go', Confirm: Path })
      expect(response.status).toBe(202)
      orders.push((await response.json()) as Erasure)
    }

    for (const { Id } of orders) {
      const state = async () => (await (await ask(`erasures/${Id}`)).json()) as Erasure
      await until(async () => (await state()).State === 'done')
      const { Places } = await state()
      expect(Places.map(({ Place, State }) => `${Place} ${State}`).toSorted()).toEqual(
        [
          'backups told',
          'blobs confirmed',
          'database confirmed',
          'live confirmed',
          'made confirmed',
          'repository confirmed',
          ...edges.map(({ name }) => `edge:${name} confirmed`),
        ].toSorted(),
      )
    }
    for (const bytes of [film, image, ...variants])
      expect(await filesWithBlocks(directories, bytes)).toEqual([])
    for (const base of bases)
      for (const path of [...urls, pinned, transform])
        expect([path, await statusOf(base + path)]).toEqual([path, 451])
    for (const base of bases) expect(await statusOf(`${base}/acme/v1/films/kept.txt`)).toBe(200)
    const repository = join(data, 'repository.git')
    expect(await runGit(repository, 'fsck', '--full', '--strict')).toBe('')
    await runGit(directory.path, 'clone', '-q', repository, 'clone')
    const clone = join(directory.path, 'clone')
    expect(await runGit(clone, 'fsck', '--full', '--strict')).toBe('')
    expect(await Bun.file(join(clone, 'clients/acme/v1/films/kept.txt')).text()).toBe('kept')
  },
  limitMs,
)
