import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { openInProcess } from '../support/in-process-service.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
const sidecarOf = (name: string) => `clients/acme/.sedge/assets/v1/texts/${name}.json`
const schema = {
  type: 'object',
  properties: { sku: { type: 'string', pattern: '^[A-Z]{2}$' } },
  required: ['sku'],
}

/** Commits files by git itself, in a clone that is pushed. */
async function push(
  { repository, clone }: { readonly repository: string; readonly clone: string },
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await runGit(dirname(clone), 'clone', '--quiet', repository, clone)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(clone, path)), { recursive: true })
    await writeFile(join(clone, path), content)
  }
  await runGit(clone, 'add', '--all')
  await runGit(clone, 'commit', '--quiet', '--message', 'By other means')
  await runGit(clone, 'push', '--quiet', 'origin', 'HEAD:main')
}

test(
  'descriptions that break the rules and came by git are left out, logged and counted, and all else goes on',
  async () => {
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'repositories')
    await using service = await openInProcess({ environment: { DATA_DIR: dataDirectory } })
    const warnings = async () => (await (await service.fetch('/api/health')).json()).warnings
    const titleOf = async (name: string) =>
      (
        await (
          await service.fetch(`/api/assets/metadata?path=acme/v1/texts/${name}`, {
            headers: access,
          })
        ).json()
      ).Metadata?.Title
    const patch = async (name: string, body: unknown) =>
      await service.fetch(`/api/assets/metadata?path=acme/v1/texts/${name}`, {
        method: 'PATCH',
        headers: { ...access, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await service.createZone('acme')
    expect((await service.core('PUT', 'zones/acme/fields', schema)).status).toBe(200)
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      await service.storage('PUT', `acme/v1/texts/${name}`, { body: name })
    expect(await warnings()).toEqual([])

    const said = (title: string, sku: string) => JSON.stringify({ title, custom: { sku } })
    const places = {
      repository: join(dataDirectory, 'repository.git'),
      clone: join(directory.path, 'clone'),
    }
    await push(places, {
      [sidecarOf('a.txt')]: '{ "title": ',
      [sidecarOf('b.txt')]: said('B', 'too long'),
      [sidecarOf('c.txt')]: said('C', 'OK'),
      'clients/acme/v1/texts/d.txt': 'new',
    })
    await until(async () => (await service.fetch('/acme/v1/texts/d.txt')).status === 200)

    expect(await warnings()).toEqual([{ name: 'metadata', count: 2 }])
    expect(await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(titleOf))).toEqual([null, null, 'C'])
    const logged = service.logged
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ msg }) => msg === 'what a file says of an asset is left out')
    expect(logged.map(({ level }) => level)).toEqual(['warn', 'warn'])
    expect(new Set(logged.map(({ file }) => file))).toEqual(
      new Set([sidecarOf('a.txt'), sidecarOf('b.txt')]),
    )
    for (const name of ['a.txt', 'b.txt'])
      expect((await service.fetch(`/acme/v1/texts/${name}`)).status).toBe(200)
    for (const name of ['a.txt', 'b.txt'])
      expect((await patch(name, { Title: 'Mended', Custom: { sku: 'AB' } })).status).toBe(200)
    expect(await warnings()).toEqual([])
  },
  limitMs,
)

test(
  'what was said of a file stays when other bytes take its place, and over a kill right after the answer',
  async () => {
    await using directory = await temporaryDirectory()
    const start = () => startService({ dataDirectory: join(directory.path, 'data') })
    const path = 'acme/v1/texts/a.txt'
    {
      await using service = await start()
      const world = worldOf(service)
      const { client } = world
      await world.zone('acme')
      await world.put(path, 'one')
      const said = { Title: 'First', Tags: ['kept'] }
      await client.describeAsset({ path, body: said })
      await world.put(path, 'other bytes')
      const { Metadata } = await client.getAssetMetadata({ path })
      expect(Metadata).toMatchObject(said)
      await client.describeAsset({ path, body: { Title: 'Last' } })
      await service.kill()
    }
    await using service = await start()
    const { Metadata, Checksum } = await worldOf(service).client.getAssetMetadata({ path })
    expect(Metadata).toMatchObject({ Title: 'Last', Tags: ['kept'] })
    expect(Checksum).toBe(new Bun.CryptoHasher('sha256').update('other bytes').digest('hex'))
  },
  limitMs,
)

const texts = 'clients/acme/v1/texts'

/** A service with described files, and a clone of `remote`, or else of its own repository. */
async function openDescribed(names: readonly string[], remote?: string) {
  await using opening = new AsyncDisposableStack()
  const { path: directory } = opening.use(await temporaryDirectory())
  const dataDirectory = join(directory, 'data')
  if (remote !== undefined)
    await runGit(directory, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  const elsewhere = remote && { GIT_REMOTE: join(directory, remote), GIT_REMOTE_IMPORT: 'true' }
  const environment = { DATA_DIR: dataDirectory, ...elsewhere }
  const service = opening.use(await openInProcess({ environment }))
  await service.createZone('acme')
  for (const name of names) {
    await service.storage('PUT', `acme/v1/texts/${name}`, { body: name })
    await service.fetch(`/api/assets/metadata?path=acme/v1/texts/${name}`, {
      method: 'PATCH',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Title: `Of ${name}` }),
    })
    // So that a version of the file has what was known of it.
    await service.storage('PUT', `acme/v1/texts/${name}`, { body: `${name} again` })
  }
  const repository = join(dataDirectory, 'repository.git')
  const source = remote === undefined ? repository : join(directory, remote)
  const listing = (at: string) => runGit(at, 'ls-tree', '-r', '--name-only', 'main')
  if (remote !== undefined)
    await until(async () => (await listing(source).catch(() => '')) === (await listing(repository)))
  const clone = join(directory, 'clone')
  await runGit(directory, 'clone', '--quiet', source, clone)
  const opened = opening.move()
  return {
    service,
    git: (...args: readonly string[]) => runGit(clone, ...args),
    async push() {
      await runGit(clone, 'commit', '--quiet', '--all', '--message', 'By hand')
      await runGit(clone, 'push', '--quiet', 'origin', 'HEAD:main')
    },
    isIn: async (path: string) => (await listing(repository)).split('\n').includes(path),
    async titleOf(name: string): Promise<string | null | undefined> {
      const url = `/api/assets/metadata?path=acme/v1/texts/${name}`
      return (await (await service.fetch(url, { headers: access })).json()).Metadata?.Title
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

for (const remote of [undefined, 'mirror.git'])
  test(
    `what git deletes without what was known of it is forgotten, and comes back with it (${remote ?? 'pushed'})`,
    async () => {
      await using house = await openDescribed(['a.txt', 'b.txt'], remote)
      const { service } = house
      const newest = ['log', '-1', '--format=%H', '--', `${texts}/a.txt`]
      const commit = (await house.git(...newest)).trim()
      await house.git('rm', '--quiet', `${texts}/a.txt`)
      await house.git('mv', `${texts}/b.txt`, `${texts}/c.txt`)
      await house.git('mv', sidecarOf('b.txt'), sidecarOf('c.txt'))
      await house.push()
      await until(async () => !(await house.isIn(sidecarOf('a.txt'))), 'nothing was forgotten')
      expect(await house.titleOf('c.txt')).toBe('Of b.txt')

      await service.storage('PUT', 'acme/v1/texts/a.txt', { body: 'another' })
      expect(await house.titleOf('a.txt')).toBeNull()
      const restored = await service.fetch('/api/assets/restore', {
        method: 'POST',
        headers: { ...access, 'Content-Type': 'application/json' },
        body: JSON.stringify({ path: 'acme/v1/texts/a.txt', commit }),
      })
      expect(restored.status).toBe(200)
      expect(await house.titleOf('a.txt')).toBe('Of a.txt')
      expect(await house.titleOf('c.txt')).toBe('Of b.txt')
    },
    limitMs,
  )

test(
  'what git deleted is brought back from the trash with what was known of it',
  async () => {
    await using house = await openDescribed(['a.txt'])
    await house.git('rm', '--quiet', `${texts}/a.txt`)
    await house.push()
    await until(async () => !(await house.isIn(sidecarOf('a.txt'))), 'nothing was forgotten')
    const restored = await house.service.fetch('/api/assets/restore', {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Paths: ['acme/v1/texts/a.txt'] }),
    })
    expect(restored.status).toBe(200)
    expect(await house.titleOf('a.txt')).toBe('Of a.txt')
  },
  limitMs,
)
