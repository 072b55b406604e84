import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { openInProcess } from '../support/in-process-service.ts'
import {
  access,
  standbyName,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
/** A node of a cluster has its repository in another directory. */
const isAlone = process.env[standbyName] === undefined
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

test.if(isAlone)(
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
