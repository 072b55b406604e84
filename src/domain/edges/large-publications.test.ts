import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import { countersOf } from '../../edge/purge/counter-names.ts'
import { createPurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { assetAt, zoneOf } from '../../ports/content/publication-store.contract.ts'
import { until } from '../../../test/support/until.ts'
import { readChange } from './feed/replica-change.ts'
import type { PublishedState } from './manifest/manifest-parts.ts'
import { beginning, manifestRoot } from './manifest/manifest-root.ts'
import {
  feedEntry,
  openTestEdge,
  openTestOrigin,
  openTestWire,
  type TestOrigin,
} from './fixtures/edge-world.ts'

const count = 3_000
const files = (directory: string) =>
  Array.from({ length: count }, (_, index) => assetAt(`acme/v1/icons/${directory}/${index}.svg`))
const [before, after] = [files('before'), files('after')]
const paths = [before, after].flatMap((all) => [0, 1_500, 2_999].map((at) => all[at]?.path ?? ''))

const told = (event: 'asset.created' | 'asset.deleted', path: string) =>
  feedEntry(event, { path, zone: 'acme' })

async function originWithFiles() {
  const origin = openTestOrigin()
  await origin.publish({ zones: [zoneOf('acme')], assets: before }, [
    feedEntry('zone.created', { zone: 'acme' }),
    ...before.map(({ path }) => told('asset.created', path)),
  ])
  return origin
}

/** Everything is somewhere else then. */
const moveAll = (origin: TestOrigin) =>
  origin.publishInParts(
    { removedAssets: before.map(({ path }) => path), assets: after, zones: [movedZone] },
    [
      ...before.map(({ path }) => told('asset.deleted', path)),
      ...after.map(({ path }) => told('asset.created', path)),
      feedEntry('zone.updated', { zone: 'acme' }),
    ],
  )
const movedZone = { ...zoneOf('acme'), suspended: true }

/** `before`, `after`, or what it is that is neither. */
function stateOf(published: PublishedState): string {
  const isThere = paths.map((path) => published.asset(path) !== undefined)
  const all = published.zoneFiles('acme').map(({ path }) => path)
  const isMoved = published.zone('acme')?.suspended
  const isOf = (those: typeof before) =>
    all.length === count && all.every((path) => path.startsWith(directoryOf(those)))
  const [former, later] = [isThere.slice(0, 3), isThere.slice(3)]
  if (former.every(Boolean) && !later.some(Boolean) && isOf(before) && isMoved === false)
    return 'before'
  if (later.every(Boolean) && !former.some(Boolean) && isOf(after) && isMoved === true)
    return 'after'
  return `${isThere.join(' ')}, ${all.length} files, ${isMoved}`
}

const directoryOf = (those: typeof before) => (those[0]?.path ?? '').replace('0.svg', '')

/** What is seen by whoever looks each turn, without what is the same as the turn before, until it is `after`. */
async function seenOf(look: () => string): Promise<readonly string[]> {
  const seen: string[] = []
  for (let turn = 0; turn < 50_000 && seen.at(-1) !== 'after'; turn += 1) {
    const state = look()
    if (state !== seen.at(-1)) seen.push(state)
    await setImmediate()
  }
  return seen
}

test('an edge, and one behind it, show a large publication at once, though it comes in parts', async () => {
  const origin = await originWithFiles()
  await using edge = await openTestEdge(openTestWire(origin).origin)
  await edge.following.caughtUp
  await using behind = await openTestEdge(openTestWire(edge).origin)
  await behind.following.caughtUp
  const seqs = new Map<string, Set<number | undefined>>()
  const looking = [edge, behind].map((each) =>
    seenOf(() => {
      const state = stateOf(each.published)
      seqs.set(state, (seqs.get(state) ?? new Set()).add(each.replica.position?.seq))
      return state
    }),
  )
  await moveAll(origin)

  expect(await Promise.all(looking)).toEqual([
    ['before', 'after'],
    ['before', 'after'],
  ])
  const last = origin.changes.position.seq
  expect(seqs).toEqual(
    new Map([
      ['before', new Set([count + 1])],
      ['after', new Set([last])],
    ]),
  )
  // Both go on to agree with the origin.
  const rootOf = async ({ parts, changes }: Pick<TestOrigin, 'parts' | 'changes'>) =>
    (await manifestRoot(parts, { position: changes.position, isCurrent: true })).sha256
  const roots = await Promise.all([origin, edge, behind].map(rootOf))
  expect(new Set(roots).size).toBe(1)
}, 30_000)

test('an edge that comes while a large publication is shown and announced shows it whole, or not yet', async () => {
  const origin = await originWithFiles()
  const moving = moveAll(origin)
  const edges = new AsyncDisposableStack()
  const looking: Promise<readonly string[]>[] = []
  for (let place = 0; place < 6; place += 1) {
    const edge = edges.use(await openTestEdge(openTestWire(origin).origin))
    looking.push(
      seenOf(() => (edge.replica.position === undefined ? 'nothing' : stateOf(edge.published))),
    )
    for (let turn = 0; turn < 3; turn += 1) await setImmediate()
  }
  const known = await Promise.all(looking)
  await moving
  await edges.disposeAsync()

  for (const seen of known)
    expect(seen.filter((state) => state !== 'before')).toEqual(['nothing', 'after'])
}, 30_000)

test('of a large publication that breaks off nothing is shown; all of it is, once the origin is back', async () => {
  const origin = await originWithFiles()
  const wire = openTestWire(origin)
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  const looking = seenOf(() => stateOf(edge.published))
  const moving = moveAll(origin)
  while (origin.changes.position.seq < 2 * count) await setImmediate()
  wire.cut()
  await moving
  expect(stateOf(edge.published)).toBe('before')
  wire.mend()

  expect(await looking).toEqual(['before', 'after'])
}, 30_000)

test('what is cached of a large publication is purged in the turn in which it shows', async () => {
  const origin = await originWithFiles()
  await using edge = await openTestEdge(openTestWire(origin).origin)
  await edge.following.caughtUp
  const generations = createPurgeGenerations()
  edge.replica.feed.subscribe(
    (entries) => generations.applyFeed(entries),
    (entries) => generations.prepareFeed(entries),
  )
  const counters = paths.map((path) => countersOf(`https://h/${path}`, new Headers()) ?? [])
  const { newest } = generations
  const looking = seenOf(() => {
    const states = new Set(counters.map((each) => generations.stateOf(newest, each)))
    return `${stateOf(edge.published)}: ${[...states].join(', ')}`.replace('after: purged', 'after')
  })
  await moveAll(origin)

  expect(await looking).toEqual(['before: current', 'after'])
}, 30_000)

test('who was away for thousands of entries is sent them in parts, each said to go on but the last, and what comes meanwhile', async () => {
  const origin = await originWithFiles()
  const { changes } = origin
  const first = changes.since(beginning)
  const placed = [first]
  using _subscription = changes.subscribe((each) => void placed.push(each), first.to)
  await setImmediate()
  await origin.publish({}, [feedEntry('purge.completed', { data: { tags: ['x'] } })])
  await until(() => placed.at(-1)?.to.seq === changes.position.seq)
  await origin.publish({}, [feedEntry('purge.completed', { data: { tags: ['y'] } })])
  const heard = await Promise.all(
    placed.map(async ({ message }) =>
      message.kind === 'change' ? await readChange(message.text) : undefined,
    ),
  )

  expect(heard.map((change) => [change?.from, change?.to.seq, change?.continues])).toEqual([
    [0, 1_000, true],
    [1_000, 2_000, true],
    [2_000, 3_000, true],
    [3_000, count + 2, false],
    [count + 2, count + 3, false],
  ])
  expect(heard.flatMap((change) => change?.entries.map(({ seq }) => seq))).toEqual(
    Array.from({ length: count + 3 }, (_, index) => index + 1),
  )
})

test('edges behind an edge go on where the origin was restored to an earlier number, too', async () => {
  const former = await originWithFiles()
  const formerWire = openTestWire(former)
  let { origin } = formerWire
  await using edge = await openTestEdge({
    feed: (since, signal) => origin.feed(since, signal),
    manifest: () => origin.manifest(),
    part: (name) => origin.part(name),
  })
  await edge.following.caughtUp
  await using behind = await openTestEdge(openTestWire(edge).origin)
  await behind.following.caughtUp
  await moveAll(former)
  await until(() => behind.replica.position?.seq === former.changes.position.seq)
  const restored = openTestOrigin()
  await restored.publish({ zones: [zoneOf('acme')] }, [feedEntry('zone.created', { zone: 'acme' })])
  ;({ origin } = openTestWire(restored))
  formerWire.cut()
  await until(() => behind.replica.position?.seq === 1)
  const [asset] = files('again')
  if (asset === undefined) throw new Error('there is no file')
  await restored.publish({ assets: [asset] }, [told('asset.created', asset.path)])
  await until(() => behind.replica.position?.seq === 2)

  expect(behind.published.asset(asset.path)).toBeDefined()
}, 30_000)
