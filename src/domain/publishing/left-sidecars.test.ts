import { expect, test } from 'bun:test'

import type { Change } from '../../ports/content/content-store.ts'
import { parseAssetPath } from '../content/asset-path.ts'
import { serialiseSidecar } from '../content/metadata/sidecar.ts'
import { fieldsPath, sidecarPath } from '../content/metadata/sidecar-paths.ts'
import { forgetLeftSidecars } from './left-sidecars.ts'
import { actor, setUp } from './publisher.fixture.ts'

const logo = 'acme/v1/logos/a.svg'
const file = `clients/${logo}`
const sidecar = sidecarPath(parseAssetPath(logo))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const titled = (title: string) =>
  serialiseSidecar({ metadata: { title }, others: {} }) ?? new Uint8Array()

/** A described file in a zone, and whoever pushes to the repository. */
async function setUpPushes() {
  const world = await setUp()
  const service = await world.open()
  const { content, store } = world
  const { publisher, feed, heard } = service
  const log = { warn: (message: string) => void world.warnings.push(message) }
  const follow = () => forgetLeftSidecars({ content, publisher, store, feed, log })
  await service.zones.create('acme', actor)
  const push = async (files: Readonly<Record<string, string | Uint8Array | undefined>>) => {
    const changes = await Promise.all(
      Object.entries(files).map(async ([path, given]): Promise<Change> => {
        if (given === undefined) return { kind: 'delete', path }
        await using incoming = await world.blobs.receive(
          typeof given === 'string' ? bytesOf(given) : given,
        )
        return { kind: 'put', path, blob: await incoming.keep() }
      }),
    )
    await content.commit({ subject: 'by hand', author: 'somebody' }, async () => changes)
  }
  await push({ [file]: 'one', [sidecar]: titled('Former') })
  return {
    ...world,
    heard,
    push,
    follow,
    put: service.put,
    title: () => service.catalog.asset(logo)?.metadata?.title,
    isThere: async (path: string) => (await content.find(path)) !== undefined,
  }
}

test('what was known of a file that git deleted alone is forgotten before one of its name comes', async () => {
  const { follow, push, put, title, isThere, content } = await setUpPushes()
  {
    await using _following = follow()
    await push({ [file]: undefined })
  }
  expect(await isThere(sidecar)).toBe(false)
  const [newest] = await content.history('', 1)
  expect(newest?.request).toMatchObject({
    author: 'sedge',
    subject: `Forget what was known of ${sidecar}`,
  })
  await put(logo, 'two')
  expect(title()).toBeUndefined()
})

test('a file that came first under the name of the former one loses what was known of that', async () => {
  const { follow, push, title, isThere } = await setUpPushes()
  await push({ [file]: undefined })
  await push({ [file]: 'two' })
  expect(title()).toBe('Former')
  // As a service does that was killed in between.
  await using following = follow()
  await following[Symbol.asyncDispose]()
  expect(title()).toBeUndefined()
  expect(await isThere(sidecar)).toBe(false)
})

test('the very same file that is back keeps what was known of it', async () => {
  const { follow, push, title } = await setUpPushes()
  await push({ [file]: undefined })
  await push({ [file]: 'one' })
  await using following = follow()
  await following[Symbol.asyncDispose]()
  expect(title()).toBe('Former')
})

test('what is written with the deletion, or after it, waits for the file to come', async () => {
  for (const isWithIt of [true, false]) {
    const { follow, push, put, title } = await setUpPushes()
    await push({ [file]: undefined, ...(isWithIt && { [sidecar]: titled('Next') }) })
    if (!isWithIt) await push({ [sidecar]: titled('Next') })
    {
      await using _following = follow()
    }
    await put(logo, 'two')
    expect(title()).toBe('Next')
  }
})

test('what goes with its file, or waits for a file that never was, is let be', async () => {
  const { follow, push, heard, isThere } = await setUpPushes()
  const other = sidecarPath(parseAssetPath('acme/v1/logos/b.svg'))
  await push({ [other]: titled('Waits') })
  const before = heard.length
  {
    await using _following = follow()
    await push({ [file]: undefined, [sidecar]: undefined })
  }
  expect(await isThere(other)).toBe(true)
  expect(heard.slice(before).map(({ event }) => event)).toEqual([
    'asset.deleted',
    'deploy.completed',
  ])
})

test('of a zone that git deleted file by file nothing is left, its own fields neither', async () => {
  const { follow, push, isThere, content } = await setUpPushes()
  const fields = fieldsPath('acme')
  await push({ [fields]: '{}' })
  {
    await using _following = follow()
    const files = await content.filesBelow('clients/acme')
    const own = new Set([sidecar, fields])
    const rest = files.map(({ path }) => path).filter((path) => !own.has(path))
    await push(Object.fromEntries(rest.map((path) => [path, undefined])))
  }
  expect(await isThere('clients/acme')).toBe(false)
})

test('where it cannot be committed it is tried again', async () => {
  const world = await setUpPushes()
  const { push, content, isThere } = world
  const waits: (() => void)[] = []
  let isBroken = true
  const service = await world.open()
  const commit: typeof service.publisher.commit = async (...given) => {
    if (isBroken) throw new Error('the disk is full')
    return await service.publisher.commit(...given)
  }
  const following = forgetLeftSidecars({
    content,
    publisher: { commit },
    store: world.store,
    feed: service.feed,
    log: { warn: (message: string) => void world.warnings.push(message) },
    later(_ms, task) {
      waits.push(task)
      return () => {}
    },
  })
  await push({ [file]: undefined })
  while (waits.length === 0) await Bun.sleep(1)
  expect(world.warnings).toContain('what was known of deleted files could not be forgotten yet')
  isBroken = false
  waits.pop()?.()
  await following[Symbol.asyncDispose]()
  expect(await isThere(sidecar)).toBe(false)
})
