import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  lineOf,
  requestLogStoreContract,
} from '../../../ports/traffic/request-log-store.contract.ts'
import { have, mountableTmpfs } from '../../../../test/support/needs.ts'
import { DiskRequestLogStore } from './disk-request-log-store.ts'

const openIn = (directory: string, maxBytes: number) =>
  DiskRequestLogStore.open({
    directory,
    maxBytes: { failed: maxBytes, refused: maxBytes, missing: maxBytes, delivered: maxBytes },
    now: () => 1_780_000_000_000,
  })

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'sedge-requests-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

requestLogStoreContract('disk', async (maxBytes) => {
  const directory = await temporaryDirectory()
  const requests = await openIn(directory.path, maxBytes)
  return {
    requests,
    async [Symbol.asyncDispose]() {
      await requests[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
})

async function pathsIn(store: DiskRequestLogStore): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of store.read('delivered'))
    found.push(...batch.map(({ text }) => (JSON.parse(text) as { path: string }).path))
  return found
}

test('what a killed process tore off is left out; lines before and after it stay', async () => {
  await using directory = await temporaryDirectory()
  await using killed = await openIn(directory.path, 2 ** 20)
  await killed.append([lineOf({ path: '/a' }), lineOf({ path: '/b' })])
  const [name = ''] = await readdir(join(directory.path, 'delivered'))
  await appendFile(join(directory.path, 'delivered', name), '{"at":1,"method":"GE')

  await using again = await openIn(directory.path, 2 ** 20)
  expect(await pathsIn(again)).toEqual(['/b', '/a'])
  await again.append([lineOf({ path: '/c' })])
  expect(await pathsIn(again)).toEqual(['/c', '/b', '/a'])
  expect(await readdir(join(directory.path, 'delivered'))).toHaveLength(2)
})

test('lines longer than what is read at a time come back whole', async () => {
  await using directory = await temporaryDirectory()
  await using store = await openIn(directory.path, 2 ** 22)
  const paths = Array.from({ length: 9 }, (_, place) => `/${String(place).repeat(50_000)}`)
  for (const path of paths) await store.append([lineOf({ path })])

  expect(await pathsIn(store)).toEqual(paths.toReversed())
})

test('an earlier process’s files count against the room, too', async () => {
  await using directory = await temporaryDirectory()
  for (let each = 0; each < 40; each += 1) {
    await using store = await openIn(directory.path, 20_000)
    await store.append(Array.from({ length: 10 }, () => lineOf({ path: `/${each}` })))
  }
  await using store = await openIn(directory.path, 20_000)
  const kept = await pathsIn(store)
  expect(kept[0]).toBe('/39')
  expect(kept.length).toBeLessThan(200)
  expect(kept.length).toBeGreaterThan(50)
})

test.skipIf(!have('a request log on a full disk', mountableTmpfs))(
  'a full disk takes no more lines, keeps those it has whole, and takes lines again once there is room',
  async () => {
    await using directory = await temporaryDirectory()
    expect(
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', directory.path]).status,
    ).toBe(0)
    await using _mounted = {
      async [Symbol.asyncDispose]() {
        expect(spawnSync('umount', [directory.path]).status).toBe(0)
      },
    }
    const filler = join(directory.path, 'filler')
    await using store = await openIn(directory.path, 2 ** 22)
    await store.append([lineOf({ path: '/before' })])
    await writeFile(filler, new Uint8Array(2 ** 20)).catch(() => undefined)
    const many = Array.from({ length: 200 }, (_, place) => lineOf({ path: `/full-${place}` }))
    const failure: unknown = await store.append(many).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'ENOSPC' })
    expect((await pathsIn(store)).at(-1)).toBe('/before')

    await rm(filler)
    await store.append([lineOf({ path: '/after' })])
    const kept = await pathsIn(store)
    expect([kept[0], kept.at(-1)]).toEqual(['/after', '/before'])
    expect(kept.slice(1, -1).every((path) => /^\/full-\d+$/u.test(path))).toBeTrue()
  },
)
