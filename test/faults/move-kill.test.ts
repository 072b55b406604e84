import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(10)
const fileCount = 200

const json = { ...access, 'Content-Type': 'application/json' }
const names = Array.from({ length: fileCount }, (_, index) => `${index % 10}/file-${index}.txt`)

async function fill(url: string): Promise<void> {
  const body = JSON.stringify({ Name: 'acme' })
  await (await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })).text()
  for (let start = 0; start < fileCount; start += 50) {
    const files = names
      .slice(start, start + 50)
      .map((name) => ({ path: `acme/v1/place-0/${name}`, content: name, encoding: 'utf-8' }))
    const response = await fetch(`${url}/api/storage/batch`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ files }),
    })
    expect(response.status).toBe(201)
    await response.text()
  }
}

/** The paths that the catalogue has, and whether storage and the edge agree on some of them. */
async function pathsAt(url: string): Promise<readonly string[]> {
  const paths: string[] = []
  for (let page = 1; paths.length === (page - 1) * 200; page += 1) {
    const address = `${url}/api/assets?per_page=200&sort=path&page=${page}`
    const { Data } = (await (await fetch(address, { headers: access })).json()) as {
      readonly Data: readonly { readonly path: string }[]
    }
    paths.push(...Data.map(({ path }) => path))
    if (Data.length === 0) break
  }
  return paths
}

const placeIn = (place: number): readonly string[] =>
  names.map((name) => `acme/v1/place-${place}/${name}`).toSorted()

/** Whether it was answered that the directory is moved; a service that was killed answers nothing. */
async function isMovedBy(url: string, place: number): Promise<boolean> {
  const body = { From: `acme/v1/place-${place}`, To: `acme/v1/place-${place + 1}` }
  try {
    const response = await fetch(`${url}/api/storage/move`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    })
    return response.status === 200
  } catch {
    return false
  }
}

test(
  `${cycles} kills at any moment of a move leave all of a directory at one place, and what was answered done`,
  async () => {
    const random = createRandom(seedOf('kills of moves'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    let place = 0
    let longestMs = 400
    for (let cycle = 0; cycle <= cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      const { url } = service
      if (cycle === 0) await fill(url)
      const found = await pathsAt(url)
      const isMoved = found[0]?.startsWith(`acme/v1/place-${place + 1}/`) ?? false
      if (isMoved) place += 1
      expect(found.toSorted()).toEqual([...placeIn(place)])
      const [name = ''] = names
      expect((await fetch(`${url}/acme/v1/place-${place}/${name}`)).status).toBe(200)
      expect((await fetch(`${url}/acme/v1/place-${place - 1}/${name}`)).status).toBe(404)
      expect(fsck(dataDirectory)).toBe('')
      const startedAt = performance.now()
      const move = isMovedBy(url, place)
      await Bun.sleep(random.integer(0, Math.ceil(longestMs)))
      await service.kill()
      if (!(await move)) continue
      place += 1
      longestMs = performance.now() - startedAt
    }
  },
  cycles * 20_000 + 60_000,
)
