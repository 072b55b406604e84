import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createRandom, type Random, seedOf } from '../../../../test/support/random.ts'
import { MemoryZoneCommitStore } from '../../memory/content/memory-zone-commit-store.ts'
import {
  appendHistory,
  firstParents,
  type ImportedCommit,
  importHistory,
} from '../fixtures/import-history.ts'
import { git, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { GitZoneRepositories } from './zone-repositories.ts'

async function openWorld(commits: readonly ImportedCommit[]) {
  const parent = await temporaryDirectory()
  const whole = join(parent, 'repository.git')
  await importHistory(whole, commits)
  const open = (name: string, store = new MemoryZoneCommitStore()) => {
    const directory = join(parent, name)
    const zones = new GitZoneRepositories({
      repository: whole,
      directory,
      commits: store,
      newest: async () => (await firstParents(whole)).at(-1),
      directoryOf: (zone) => `clients/${zone}`,
    })
    return { zones, store, of: (zone: string) => join(directory, `${zone}.git`) }
  }
  return {
    whole,
    open,
    append: (more: readonly ImportedCommit[]) => appendHistory(whole, more),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

const put = (path: string, content: string, subject = `Put ${path}`): ImportedCommit => ({
  subject,
  files: { [`clients/${path}`]: content },
})

const subjects = async (directory: string) =>
  (await git(directory, 'log', '--format=%s', '--reverse', 'main')).trim().split('\n')

/** Commits of three zones and of what is no zone's, some of several at once, some merged. */
function randomCommits(random: Random, count: number): readonly ImportedCommit[] {
  const zones = ['acme', 'bolt', 'acme-2'] as const
  const path = () =>
    random.next() < 0.1
      ? 'README'
      : `clients/${random.pick(zones)}/v1/${random.pick(['a', 'b', 'c/d', 'c/e'])}`
  const files = () =>
    Object.fromEntries(
      Array.from({ length: random.integer(1, 3) }, () => [
        path(),
        random.next() < 0.2 ? undefined : String(random.integer(1, 6)),
      ]),
    )
  return Array.from({ length: count }, (_, index) => {
    const isRemoval = random.next() < 0.03
    const zone = random.pick(zones)
    const time = `${1_700_000_000 + index} ${random.pick(['+0000', '+0530', '-0800'])}`
    if (isRemoval)
      return { subject: `Delete zone ${zone}`, time, files: { [`clients/${zone}`]: undefined } }
    const author = random.pick(['Ada <ada@example.org>', 'Größe Ä <g@example.org>', 'a.b <a@b>'])
    const side = random.next() < 0.1 ? { side: { files: files() } } : {}
    return { subject: `Change ${index}`, author, time, files: files(), ...side }
  })
}

test('what a zone has is what the whole history says of its directory, commit by commit', async () => {
  const random = createRandom(seedOf('zone repositories'))
  await using world = await openWorld(randomCommits(random, 300))
  const { zones, of } = world.open('zones')
  for (const zone of ['acme', 'bolt']) {
    await zones.open({ name: zone })
    const wholeIds = await sinceItsBeginning(world.whole, zone)
    const zoneIds = (await git(of(zone), 'rev-list', '--reverse', 'main').catch(() => ''))
      .split('\n')
      .filter(Boolean)
    expect(zoneIds).toHaveLength(wholeIds.length)
    const format = '--format=%an <%ae> %ad %cn <%ce> %cd'
    for (const [place, id] of wholeIds.entries()) {
      const zoneId = zoneIds[place] ?? ''
      expect(await git(of(zone), 'rev-parse', `${zoneId}^{tree}`)).toBe(
        await git(world.whole, 'rev-parse', `${id}:clients/${zone}`),
      )
      const said = (directory: string, commit: string) =>
        git(directory, 'log', '-n1', '--date=raw', format, commit)
      expect(await said(of(zone), zoneId)).toBe(await said(world.whole, id))
    }
    expect(await git(of(zone), 'fsck', '--strict', '--no-dangling')).toBe('')
  }
}, 60_000)

/** By what git itself says: those along first parents that touch it, since it last was not there. */
async function sinceItsBeginning(whole: string, zone: string): Promise<readonly string[]> {
  const path = `clients/${zone}`
  const touching = await firstParents(whole, '--', path)
  let since: string[] = []
  for (const id of touching) {
    const found = await git(whole, 'ls-tree', id, path)
    since = found === '' ? [] : [...since, id]
  }
  return since
}

test('made twice, made bit by bit, or made anew, it has the same ids', async () => {
  const random = createRandom(seedOf('zone ids'))
  const commits = randomCommits(random, 120)
  await using world = await openWorld(commits.slice(0, 40))
  const gradual = world.open('gradual')
  await gradual.zones.open({ name: 'acme' })
  for (let start = 40; start < commits.length; start += 10) {
    await world.append(commits.slice(start, start + 10))
    await gradual.zones.open({ name: 'acme' })
  }
  await world.append([put('acme/v1/z', 'z')])
  await gradual.zones.open({ name: 'acme' })
  const atOnce = world.open('at-once')
  await atOnce.zones.open({ name: 'acme' })
  const tip = await git(gradual.of('acme'), 'rev-parse', 'main')
  expect(await git(atOnce.of('acme'), 'rev-parse', 'main')).toBe(tip)

  await rm(atOnce.of('acme'), { recursive: true })
  await atOnce.zones.open({ name: 'acme' })
  expect(await git(atOnce.of('acme'), 'rev-parse', 'main')).toBe(tip)
  // Another node has the table, and not the directory; or the directory, and not the table.
  const elsewhere = world.open('elsewhere', atOnce.store)
  await elsewhere.zones.open({ name: 'acme' })
  expect(await git(elsewhere.of('acme'), 'rev-parse', 'main')).toBe(tip)
  const forgetful = world.open('elsewhere')
  await forgetful.zones.open({ name: 'acme' })
  expect(await git(elsewhere.of('acme'), 'rev-parse', 'main')).toBe(tip)
}, 60_000)

test('of a commit that did something elsewhere, or names it, nothing is told but what is the zone’s', async () => {
  await using world = await openWorld([
    put('acme/v1/a', '1'),
    {
      subject: 'Put 2 files into acme, bolt',
      files: { 'clients/acme/v1/b': '1', 'clients/bolt/v1/x': '1' },
    },
    put('acme/v1/c', '1', 'Copy bolt/v1/secret.png to acme/v1/c'),
    put(
      'acme/v1/d',
      '1',
      'Put acme/v1/d\n\nRequest-Id: 7\nMoved: clients/bolt/v1/e clients/acme/v1/d',
    ),
    put('acme/v1/e', '1', 'As in clients/bolt'),
    {
      subject: 'Tidy up',
      files: { 'clients/acme/v1/a': '2', 'clients/acme/v1/b': '2', README: 'x' },
    },
    put('acme-2/v1/a', '1'),
  ])
  const { zones, of } = world.open('zones')
  await zones.open({ name: 'acme' })
  expect(await subjects(of('acme'))).toEqual([
    'Put acme/v1/a',
    'Change 1 file',
    'Change 1 file',
    'Put acme/v1/d',
    'Change 1 file',
    'Change 2 files',
  ])
  const objects = await git(of('acme'), 'cat-file', '--batch-all-objects', '--batch')
  expect(objects.length).toBeGreaterThan(0)
  expect(await git(of('acme'), 'log', '--format=%B')).not.toContain('bolt')
})

test('it begins with the commit that made the zone', async () => {
  const removal = { subject: 'Delete zone acme', files: { 'clients/acme': undefined } }
  await using world = await openWorld([
    put('acme/v1/former', '1'),
    put('acme/.sedge/left', '1'),
    put('bolt/v1/a', '1'),
    put('acme/v1/a', '1', 'Create zone acme'),
    put('acme/v1/b', '1'),
  ])
  const { zones, of } = world.open('zones')
  const commitId = (await firstParents(world.whole))[3] ?? ''
  await zones.open({ name: 'acme', commitId })
  expect(await subjects(of('acme'))).toEqual(['Create zone acme', 'Put acme/v1/b'])

  await world.append([removal, put('acme/v1/c', '2', 'Create zone acme again')])
  await zones.open({ name: 'acme', commitId })
  expect(await subjects(of('acme'))).toEqual(['Create zone acme again'])
  const again = (await firstParents(world.whole)).at(-1) ?? ''
  await zones.open({ name: 'acme', commitId: again })
  expect(await subjects(of('acme'))).toEqual(['Create zone acme again'])
})

test('where the branch was put elsewhere it is made anew', async () => {
  await using world = await openWorld([put('acme/v1/a', '1'), put('acme/v1/b', '1')])
  const { zones, of } = world.open('zones')
  await zones.open({ name: 'acme' })
  const [first = ''] = await firstParents(world.whole)
  await git(world.whole, 'update-ref', 'refs/heads/main', first)
  await world.append([put('acme/v1/other', '1')])
  await zones.open({ name: 'acme' })
  expect(await subjects(of('acme'))).toEqual(['Put acme/v1/a', 'Put acme/v1/other'])
})

test('many small steps leave few packs', async () => {
  await using world = await openWorld([put('acme/v1/a', '0')])
  const { zones, of } = world.open('zones')
  for (let step = 1; step < 40; step += 1) {
    await world.append([put('acme/v1/a', String(step))])
    await zones.open({ name: 'acme' })
  }
  const counted = await git(of('acme'), 'count-objects', '-v')
  expect(Number(/packs: (\d+)/u.exec(counted)?.[1])).toBeLessThan(32)
  expect(await subjects(of('acme'))).toHaveLength(40)
  expect(await git(of('acme'), 'fsck', '--strict', '--no-dangling')).toBe('')
}, 60_000)

test('those of zones that are no more go, with what is known of them', async () => {
  await using world = await openWorld([put('acme/v1/a', '1'), put('bolt/v1/a', '1')])
  const { zones, of, store } = world.open('zones')
  for (const name of ['acme', 'bolt']) await zones.open({ name })
  await zones.keepOnly(new Set(['bolt']))
  expect(await Bun.file(join(of('acme'), 'HEAD')).exists()).toBe(false)
  expect(await Bun.file(join(of('bolt'), 'HEAD')).exists()).toBe(true)
  expect(await store.progress('acme')).toBeUndefined()
  await world.open('none').zones.keepOnly(new Set())
})

test('what a killed process was writing is in nobody’s way', async () => {
  await using world = await openWorld([put('acme/v1/a', '1'), put('acme/v1/a', '2')])
  const { zones, of } = world.open('zones')
  await zones.open({ name: 'acme' })
  const unfinished = join(of('acme'), 'objects', 'pack', 'tmp_sedge_1_pack')
  await Bun.write(unfinished, 'half of a pack')
  await world.append([put('acme/v1/b', '3')])
  await zones.open({ name: 'acme' })

  expect(await subjects(of('acme'))).toContain('Put acme/v1/b')
  expect(await Bun.file(unfinished).exists()).toBe(false)
})
