import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { runSedge } from '../support/terminal.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let directory: string

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory, 'data'),
      environment: { SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
})
afterAll(() => undo.disposeAsync())

const sedge = (...words: readonly string[]) =>
  runSedge(words, {
    environment: { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory },
  })

/** As {@link sedge}, and it has to succeed. */
async function done(...words: readonly string[]): Promise<string> {
  const { out, error, exitCode } = await sedge(...words)
  expect({ words, error, exitCode }).toEqual({ words, error: '', exitCode: 0 })
  return out
}

interface Facts {
  readonly created: readonly string[]
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  readonly unchanged: number
  readonly sentBytes: number
  readonly url: string
  readonly differences: { readonly Added: number; readonly Changed: number }
  readonly promotion: { readonly Commit: string | null } | null
  readonly conflicts: readonly { readonly Path: string }[]
}

const factsOf = async (...words: readonly string[]): Promise<Facts> =>
  JSON.parse(await done('deploy', ...words, '--json'))

/** A zone, and a directory with these files, whose text is their name. */
async function openSite(...names: readonly string[]) {
  const zone = `zone-${crypto.randomUUID().slice(0, 8)}`
  await worldOf(service).zone(zone)
  const dist = join(directory, zone)
  await mkdir(dist)
  for (const name of names) await Bun.write(join(dist, name), name)
  return { zone, dist }
}

const textAt = async (path: string): Promise<string | number> => {
  const response = await fetch(`${service.url}/${path}`)
  return response.ok ? await response.text() : response.status
}

async function previewsOf(zone: string): Promise<readonly string[]> {
  const response = await fetch(`${service.url}/api/core/zones/${zone}/previews`, {
    headers: account,
  })
  const { Previews } = (await response.json()) as { Previews: readonly { Name: string }[] }
  return Previews.map(({ Name }) => Name)
}

test('one command leads from a directory to the address of a preview, and sends what differs alone', async () => {
  const { zone, dist } = await openSite('index.html', 'styles/a.css', 'images/logo.svg')
  const first = await done('deploy', dist, '--zone', zone, '--preview', 'spring')
  expect(first).toStartWith('3 new, 0 changed, 0 deleted, 0 unchanged, 37 B sent\n')
  expect(first).toContain('Against what is live: 3 added, 0 changed, 0 removed\n')
  expect(first).toEndWith(`\n${service.url}/@~spring/${zone}/v1/index.html\n`)
  expect(await textAt(`@~spring/${zone}/v1/styles/a.css`)).toBe('styles/a.css')
  expect(await textAt(`${zone}/v1/styles/a.css`)).toBe(404)

  await Bun.write(join(dist, 'index.html'), 'newer')
  const again = await factsOf(dist, '--zone', zone, '--preview', 'spring')
  expect(again).toMatchObject({
    created: [],
    changed: [`${zone}/v1/index.html`],
    unchanged: 2,
    sentBytes: 5,
    differences: { Added: 3 },
    promotion: null,
  })
  expect(await factsOf(dist, '--zone', zone, '--preview', 'spring')).toMatchObject({
    changed: [],
    unchanged: 3,
    sentBytes: 0,
  })
})

test('a dry run says what would be done, makes no preview and stores nothing', async () => {
  const { zone, dist } = await openSite('a.txt')
  const words = ['deploy', dist, '--zone', zone, '--preview', 'spring', '--dry-run']
  const said = await done(...words)

  expect(said).toBe(
    `+ ${zone}/v1/a.txt\nNothing was done; it would be: 1 new, 0 changed, 0 deleted, 0 unchanged\n`,
  )
  expect(await previewsOf(zone)).toEqual([])
  await done('deploy', dist, '--zone', zone, '--preview', 'spring')
  expect(await done(...words)).toEndWith('0 new, 0 changed, 0 deleted, 1 unchanged\n')
})

test('below a prefix, files of storage alone are deleted where that is said, and no others', async () => {
  const { zone, dist } = await openSite('a.txt')
  for (const name of ['site/old.txt', 'other/kept.txt'])
    await worldOf(service).put(`${zone}/v1/${name}`, name)
  const words = [dist, '--zone', zone, '--prefix', 'v1/site/', '--preview', 'x']
  expect((await factsOf(...words)).deleted).toEqual([])
  const shown = await factsOf(...words, '--delete')
  expect(shown.deleted).toEqual([`${zone}/v1/site/old.txt`])
  expect(await textAt(`@~x/${zone}/v1/site/old.txt`)).toBe(404)
  expect(await textAt(`${zone}/v1/site/old.txt`)).toBe('site/old.txt')
  const facts = await factsOf(...words, '--promote')

  expect(facts.promotion?.Commit).toMatch(/^[0-9a-f]{40}$/u)
  expect(await textAt(`${zone}/v1/site/a.txt`)).toBe('a.txt')
  expect(await textAt(`${zone}/v1/site/old.txt`)).toBe(404)
  expect(await textAt(`${zone}/v1/other/kept.txt`)).toBe('other/kept.txt')
})

test('without a preview all of it is live in one commit, and nothing else is left', async () => {
  const { zone, dist } = await openSite('index.html', 'a/b.txt')
  const said = await done('deploy', dist, '--zone', zone)
  expect(said).toContain('Live since commit ')
  expect(said).toEndWith(`${service.url}/${zone}/v1/index.html\n`)
  expect(await textAt(`${zone}/v1/a/b.txt`)).toBe('a/b.txt')
  expect(await previewsOf(zone)).toEqual([])
  const history = await done('history', zone, '--json')
  expect(JSON.parse(history)).toHaveLength(2)

  expect(await done('deploy', dist, '--zone', zone)).toContain('What is live has all of it already')
})

test('large files, which go up in pieces, are in the preview and nowhere else', async () => {
  const { zone, dist } = await openSite('a.txt')
  const large = Buffer.alloc(17 * 2 ** 20, 'large')
  await Bun.write(join(dist, 'film.bin'), large)
  for (const preview of ['one', 'two']) {
    const facts = await factsOf(dist, '--zone', zone, '--preview', preview)
    expect(facts.created).toHaveLength(2)
    const shown = await fetch(`${service.url}/@~${preview}/${zone}/v1/film.bin`)
    expect(Buffer.compare(await shown.bytes(), large)).toBe(0)
  }

  expect(await textAt(`${zone}/v1/film.bin`)).toBe(404)
  expect((await factsOf(dist, '--zone', zone)).promotion?.Commit).toBeString()
  const live = await fetch(`${service.url}/${zone}/v1/film.bin`)
  expect(Buffer.compare(await live.bytes(), large)).toBe(0)
}, 60_000)

test('where a file is refused the others are stored, and nothing becomes live', async () => {
  const { zone, dist } = await openSite('a.txt', 'b\u200e.txt')
  const refused = await sedge('deploy', dist, '--zone', zone, '--json')

  expect(refused.exitCode).toBe(1)
  expect(refused.error).toContain('b\u200e.txt: The service refused (400)')
  const facts = JSON.parse(refused.out) as Facts & { readonly failed: readonly string[] }
  expect(facts).toMatchObject({ created: [`${zone}/v1/a.txt`], promotion: null })
  expect(facts.failed).toEqual([`${zone}/v1/b\u200e.txt`])
  expect(await textAt(`${zone}/v1/a.txt`)).toBe(404)
  // The same command finds what it has stored.
  const again = await sedge('deploy', dist, '--zone', zone, '--json')
  expect(JSON.parse(again.out)).toMatchObject({ created: [], unchanged: 1 })
})

test('what somebody else changed meanwhile is told, and nothing becomes live', async () => {
  const { zone, dist } = await openSite('a.txt', 'b.txt')
  await worldOf(service).put(`${zone}/v1/a.txt`, 'before')
  await done('deploy', dist, '--zone', zone, '--preview', 'mine')
  await worldOf(service).put(`${zone}/v1/a.txt`, 'theirs')
  const refused = await sedge('deploy', dist, '--zone', zone, '--preview', 'mine', '--promote')

  expect(refused.exitCode).toBe(6)
  expect(refused.error).toMatch(/^Nothing became live: .*\n {2}.*a\.txt\n$/u)
  expect(await textAt(`${zone}/v1/b.txt`)).toBe(404)
  const again = await sedge('preview', 'promote', zone, 'mine', '--json')
  expect(again.exitCode).toBe(6)
  expect(JSON.parse(again.out)).toMatchObject({ conflicts: [{ Path: expect.any(String) }] })
  // Run again without a preview it begins with what is live now.
  await done('deploy', dist, '--zone', zone)
  expect(await textAt(`${zone}/v1/a.txt`)).toBe('a.txt')
})

test('previews are made, listed, compared, brought up to date, promoted and removed', async () => {
  const { zone, dist } = await openSite('a.txt')
  expect(await done('preview', 'list', zone)).toContain('has no preview')
  expect(await done('preview', 'create', zone, 'spring', '--expires', '2999-01-01T00:00:00Z')).toBe(
    `${service.url}/@~spring/${zone}/v1/\n`,
  )
  expect(await done('preview', 'list', zone)).toMatch(/spring +\S+ +2999-01-01 +http/u)
  expect(await done('preview', 'show', zone, 'spring')).toContain('Expires   2999-01-01')
  await done('deploy', dist, '--zone', zone, '--preview', 'spring')
  expect(await done('preview', 'diff', zone, 'spring')).toMatch(
    /^Against what is live: 1 added, 0 changed, 0 removed\n {2}\+ \S*a\.txt +5 B\n$/u,
  )
  await worldOf(service).put(`${zone}/v1/live.txt`, 'live')
  expect(await done('preview', 'update', zone, 'spring')).toContain('1 added')
  expect(await textAt(`@~spring/${zone}/v1/live.txt`)).toBe('live')
  expect(await done('preview', 'promote', zone, 'spring', '--dry-run')).toBe(
    'It would be: 1 added, 0 changed, 0 removed\n',
  )
  expect(await textAt(`${zone}/v1/a.txt`)).toBe(404)
  expect(await done('preview', 'promote', zone, 'spring')).toStartWith('Live now: 1 added')
  expect(await textAt(`${zone}/v1/a.txt`)).toBe('a.txt')
  await done('preview', 'delete', zone, 'spring', '--yes')
  expect(await previewsOf(zone)).toEqual([])
})

test('what makes no sense is said before anything is asked', async () => {
  const { zone, dist } = await openSite('a.txt')
  const wrong = [
    ['deploy', dist],
    ['deploy', '--zone', zone],
    ['deploy', dist, '--zone', zone, '--prefix', 'site'],
    ['deploy', dist, '--zone', zone, '--prefix', 'v1/../x'],
    ['deploy', dist, '--zone', zone, '--preview', 'A--b'],
    ['deploy', join(dist, 'nothing'), '--zone', zone],
    ['preview', 'show', zone],
    ['preview', 'list'],
    ['preview', 'forget', zone, 'x'],
  ]
  for (const words of wrong)
    expect({ words, ...(await sedge(...words)) }).toMatchObject({ exitCode: 2 })

  expect((await sedge('deploy', dist, '--zone', 'nowhere')).exitCode).toBe(4)
  expect((await sedge('preview', 'show', zone, 'none')).exitCode).toBe(4)
  await rm(dist, { recursive: true })
  await mkdir(dist)
  const empty = await sedge('deploy', dist, '--zone', zone, '--delete')
  expect(empty.exitCode).toBe(2)
  expect(empty.error).toContain('There are no files below')
})

test('a summary for people is written beside what programs read', async () => {
  const { zone, dist } = await openSite('images/logo.svg', 'index.html')
  const file = join(directory, `${zone}.md`)
  await done('deploy', dist, '--zone', zone, '--preview', 'spring', '--summary', file)

  expect(await Bun.file(file).text()).toMatch(
    /^### Preview `spring`\n\n<http.*index\.html>\n[^]*\| \[`\S*images\/logo\.svg`\]\(http\S+\) \| added \| 15 B \|\n\nAnd 1 other file\.\n$/u,
  )
})
