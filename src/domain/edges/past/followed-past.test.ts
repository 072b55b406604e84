import { expect, test } from 'bun:test'

import { MemoryPastStore } from '../../../adapters/memory/edges/memory-past-store.ts'
import { assetAt } from '../../../ports/content/publication-store.contract.ts'
import { EdgeOriginError, type PastRequest } from '../../../ports/edges/edge-origin.ts'
import type { PastStore } from '../../../ports/edges/past-store.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { createFollowedPast } from './followed-past.ts'
import { rowOrNull } from './past-messages.ts'

const commit = 'c'.repeat(40)
const icon = assetAt('acme/v1/icons/a.svg', { sha256: 'a'.repeat(64), commitId: commit })
const none = 'acme/v1/icons/none.svg'
const moment = new Date('2026-01-31T12:00:00.900Z')

/** An edge that can be started again, with an origin that can be away. */
function setUp(store: PastStore = new MemoryPastStore({ maxCharacters: 100_000 })) {
  const state = { isAway: false, isOpen: true, zone: zoneSince(1) }
  const requests: PastRequest[] = []
  const faults: unknown[] = []
  const past = async (request: PastRequest) => {
    requests.push(request)
    if (state.isAway) throw new EdgeOriginError('away')
    if ('moment' in request) return { commit }
    if (!commit.startsWith(request.commit)) return { commit: null, assets: [] }
    const found = request.paths.map((path) =>
      path === icon.path && state.isOpen ? icon : undefined,
    )
    return { commit, assets: found.map(rowOrNull) }
  }
  const start = () =>
    createFollowedPast({
      origin: { past },
      published: { zone: (name) => (name === 'acme' ? state.zone : undefined) },
      store,
      onFault: (error) => faults.push(error),
    })
  return { state, requests, faults, start }
}

const zoneSince = (day: number): ZoneRecord => ({
  name: 'acme',
  createdAt: new Date(Date.UTC(2026, 0, day)),
  enabled: true,
  suspended: false,
  history: 'public',
})

test('what is kept of a whole id needs no origin any more, after a restart either', async () => {
  const { state, requests, start } = setUp()
  const told = { commitId: commit, assets: [icon, undefined] }
  expect(await start().assets(commit, [icon.path, none])).toEqual(told)
  state.isAway = true

  expect(await start().assets(commit, [icon.path, none])).toEqual(told)
  expect(await start().assets(commit, [none])).toEqual({ commitId: commit, assets: [undefined] })
  expect(requests).toHaveLength(1)
  const other = start().assets(commit, [icon.path, 'acme/v1/other.svg'])
  expect(await other.catch(({ code }) => code)).toBe('Unavailable')
})

test('the first digits of an id, and a moment, are asked for as long as the origin is there', async () => {
  const { state, requests, start } = setUp()
  const told = { commitId: commit, assets: [icon] }
  await start().assets('ccccccc', [icon.path])
  expect(await start().assets('ccccccc', [icon.path])).toEqual(told)
  expect(await start().commitAt('acme', moment)).toBe(commit)
  expect(await start().commitAt('acme', moment)).toBe(commit)
  expect(requests).toHaveLength(4)
  state.isAway = true

  expect(await start().assets('ccccccc', [icon.path])).toEqual(told)
  expect(await start().assets(commit, [icon.path])).toEqual(told)
  expect(await start().commitAt('acme', moment)).toBe(commit)
  const unknown = start().commitAt('acme', new Date(0))
  expect(await unknown.catch(({ code }) => code)).toBe('Unavailable')
})

test('a later zone of the name has nothing of what was told of the former', async () => {
  const { state, start } = setUp()
  await start().assets(commit, [icon.path])
  const asked = start().assets('cccccccc', [icon.path])
  state.zone = zoneSince(2)
  await asked
  state.isAway = true

  for (const name of [commit, 'cccccccc']) {
    const files = start().assets(name, [icon.path])
    expect(await files.catch(({ code }) => code)).toBe('Unavailable')
  }
})

test('that a closed history shows nothing is not kept', async () => {
  const { state, start } = setUp()
  state.isOpen = false
  expect(await start().assets(commit, [icon.path])).toEqual({
    commitId: commit,
    assets: [undefined],
  })
  state.isOpen = true

  expect(await start().assets(commit, [icon.path])).toMatchObject({ assets: [icon] })
})

test('what cannot be kept is told all the same', async () => {
  const { faults, start } = setUp({
    read: async () => new Map(),
    keep: () => Promise.reject(new Error('no room')),
  })

  expect(await start().assets(commit, [icon.path])).toMatchObject({ assets: [icon] })
  expect(await start().commitAt('acme', moment)).toBe(commit)
  expect(faults).toHaveLength(2)
})

test('bytes of what is kept are recalled after a restart', async () => {
  const { start } = setUp()
  await start().assets(commit, [icon.path])
  const restarted = start()

  expect(await restarted.recall(icon.sha256)).toBe(false)
  await restarted.assets(commit, [icon.path])
  expect(await restarted.recall(icon.sha256)).toBe(true)
})
