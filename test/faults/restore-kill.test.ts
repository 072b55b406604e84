import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(10)
const fileCount = 200

const states = ['old', 'new'] as const
type State = (typeof states)[number]

/** Every file is in one state alone or says which one it is of. */
const filesOf = (state: State) =>
  Array.from({ length: fileCount }, (_, index) => ({
    path: `acme/v1/${index % 10}/${index % 4 === 0 ? state : 'file'}-${index}.txt`,
    content: state,
    encoding: 'utf-8',
  }))

async function store(url: string, state: State): Promise<string> {
  const files = filesOf(state)
  for (let start = 0; start < files.length; start += 50) {
    const response = await fetch(`${url}/api/storage/batch`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: files.slice(start, start + 50) }),
    })
    expect(response.status).toBe(201)
    await response.text()
  }
  const history = await fetch(`${url}/api/core/zones/acme/history?limit=1`, { headers: account })
  const { Commits } = (await history.json()) as { Commits: readonly { Commit: string }[] }
  return Commits[0]?.Commit ?? ''
}

/** The zone in both states, and the commits that have them. */
async function fill(url: string): Promise<Readonly<Record<State, string>>> {
  await fetch(`${url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"acme"}',
  })
  const old = await store(url, 'old')
  const gone = filesOf('old').filter(({ path }) => path.includes('/old-'))
  for (const { path } of gone)
    await fetch(`${url}/api/storage/${path}`, { method: 'DELETE', headers: access })
  return { old, new: await store(url, 'new') }
}

/** Which state the catalogue is in, which must be all of it, and delivered. */
async function stateAt(url: string): Promise<State> {
  const found: string[] = []
  for (let page = 1; found.length === (page - 1) * 200; page += 1) {
    const asked = `${url}/api/assets?per_page=200&sort=path&page=${page}`
    const { Data } = (await (await fetch(asked, { headers: access })).json()) as {
      readonly Data: readonly { readonly path: string }[]
    }
    found.push(...Data.map(({ path }) => path))
    if (Data.length === 0) break
  }
  const state = found.some((path) => path.includes('/old-')) ? 'old' : 'new'
  const expected = filesOf(state).map(({ path }) => path)
  expect(found.toSorted()).toEqual(expected.toSorted())
  for (const path of expected) expect(await (await fetch(`${url}/${path}`)).text()).toBe(state)
  return state
}

/** Whether it was answered that the zone is back; a service that was killed answers nothing. */
async function isRestored(url: string, Commit: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/core/zones/acme/restore`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Commit }),
    })
    return response.status === 200
  } catch {
    return false
  }
}

test(
  `${cycles} kills at any moment of a restoration leave a zone in one state, and what was answered done`,
  async () => {
    const random = createRandom(seedOf('kills of restorations'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    let commits: Readonly<Record<State, string>> = { old: '', new: '' }
    let promised: State = 'new'
    let isPromised = true
    let longestMs = 400
    for (let cycle = 0; cycle <= cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      const { url } = service
      if (cycle === 0) commits = await fill(url)
      const state = await stateAt(url)
      if (isPromised) expect(state).toBe(promised)
      expect(fsck(dataDirectory)).toBe('')
      promised = state === 'old' ? 'new' : 'old'
      const startedAt = performance.now()
      const restoring = isRestored(url, commits[promised])
      await Bun.sleep(random.integer(0, Math.ceil(longestMs)))
      await service.kill()
      isPromised = await restoring
      if (isPromised) longestMs = performance.now() - startedAt
    }
  },
  cycles * 20_000 + 60_000,
)
