import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { git as anyGit } from '../support/git-client.ts'
import { gitLfs, have } from '../support/needs.ts'
import { startService, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const large = (seed: string) => Buffer.alloc(1_200_000, seed)
const [one, two] = [large('a'), large('b')]
const pointerTo = (bytes: Buffer) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`
const own = 'filter=lfs diff=lfs merge=lfs -text\n'

/** A service that keeps what is larger than 1 MB beside git, with a zone that has two such files. */
async function setUp() {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await temporaryDirectory())
  const dataDirectory = join(path, 'data')
  const service = opening.use(
    await startService({ dataDirectory, environment: { LFS_ABOVE_MB: '1' } }),
  )
  const world = worldOf(service)
  await world.zone('acme')
  await world.put('acme/v1/films/one.mp4', one)
  await world.put('acme/v1/films/deep/two [2].mp4', two)
  await world.put('acme/v1/films/small.bin', 'small')
  const opened = opening.move()

  const git = async (directory: string, ...args: readonly string[]) => {
    const { exitCode, output, errors } = await anyGit(directory, args, { HOME: path })
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
    return output
  }
  const repository = join(dataDirectory, 'repository.git')
  const repositoryUrl = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
  const blobs = join(dataDirectory, 'blobs', 'sha256')
  return {
    path,
    world,
    git,
    repositoryUrl,
    inGit: (file: string) => git(repository, 'show', `main:clients/${file}`),
    filesInGit: async () =>
      (await git(repository, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'main'))
        .split('\n')
        .filter((name) => name.endsWith('.mp4') || name.endsWith('.gitattributes')),
    /** The last commit as git tells it, moves as moves. */
    lastCommit: () => git(repository, 'show', '--format=', '--name-status', '-M100%', 'main'),
    sha256At: async (file: string) => {
      const { body } = await world.client.getFile({ path: file })
      return sha256(await new Response(body).bytes())
    },
    /** Takes the bytes away while something is done, so that whoever reads them fails. */
    async withoutBytes(work: () => Promise<void>) {
      await rename(blobs, `${blobs}.away`)
      await work()
      // What was written meanwhile is small.
      const written = await readdir(blobs, { recursive: true }).catch(() => [])
      for (const bytes of [one, two])
        expect(written.join('\n')).not.toContain(sha256(bytes).slice(4))
      await rename(blobs, `${blobs}.meanwhile`).catch(() => undefined)
      await rename(`${blobs}.away`, blobs)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('large files are moved and copied by their pointers alone, and their lines go with them', async () => {
  await using house = await setUp()
  const { client } = house.world
  await client.createZone({ body: { Name: 'bolt' } })

  await house.withoutBytes(async () => {
    await client.moveFiles({ body: { From: 'acme/v1/films', To: 'bolt/v1/cinema' } })
    expect(await house.filesInGit()).toEqual([
      'clients/bolt/v1/cinema/.gitattributes',
      'clients/bolt/v1/cinema/deep/.gitattributes',
      'clients/bolt/v1/cinema/deep/two [2].mp4',
      'clients/bolt/v1/cinema/one.mp4',
    ])
    expect(await house.lastCommit()).toContain(
      'R100\tclients/acme/v1/films/one.mp4\tclients/bolt/v1/cinema/one.mp4\n',
    )
    await client.copyFiles({
      body: { From: 'bolt/v1/cinema/deep/two [2].mp4', To: 'bolt/v1/cinema/ü two.mp4' },
    })
    await client.moveFiles({
      body: { From: 'bolt/v1/cinema/one.mp4', To: 'bolt/v1/cinema/first.mp4' },
    })
  })

  expect(await house.inGit('bolt/v1/cinema/.gitattributes')).toBe(
    `/first.mp4 ${own}"/ü two.mp4" ${own}`,
  )
  expect(await house.inGit('bolt/v1/cinema/deep/.gitattributes')).toBe(
    `"/two \\\\[2\\\\].mp4" ${own}`,
  )
  expect(await house.inGit('bolt/v1/cinema/first.mp4')).toBe(pointerTo(one))
  expect(await house.inGit('bolt/v1/cinema/ü two.mp4')).toBe(pointerTo(two))
  expect(await house.sha256At('bolt/v1/cinema/first.mp4')).toBe(sha256(one))
  expect(await house.sha256At('bolt/v1/cinema/ü two.mp4')).toBe(sha256(two))
}, 60_000)

test('a line changes with what takes the place of a file, and what was deleted comes back with its own', async () => {
  await using house = await setUp()
  const { client } = house.world
  const [film, small] = ['acme/v1/films/one.mp4', 'acme/v1/films/small.bin']

  await house.withoutBytes(async () => {
    await client.moveFiles({ body: { From: film, To: small, Overwrite: true } })
    expect(await house.inGit('acme/v1/films/.gitattributes')).toBe(`/small.bin ${own}`)
  })
  expect(await house.sha256At(small)).toBe(sha256(one))
  await house.world.put('acme/v1/films/note.bin', 'note')
  await client.copyFiles({ body: { From: 'acme/v1/films/note.bin', To: small, Overwrite: true } })
  expect(await house.filesInGit()).not.toContain('clients/acme/v1/films/.gitattributes')
  expect(await house.inGit(small)).toBe('note')

  await client.deleteFiles({ body: { Paths: ['acme/v1/films/deep/'] } })
  expect(await house.filesInGit()).toEqual([])
  await client.restoreAsset({ body: { Paths: ['acme/v1/films/deep/'] } })
  expect(await house.filesInGit()).toEqual([
    'clients/acme/v1/films/deep/.gitattributes',
    'clients/acme/v1/films/deep/two [2].mp4',
  ])
  expect(await house.sha256At('acme/v1/films/deep/two [2].mp4')).toBe(sha256(two))
}, 60_000)

if (have('git lfs over HTTP', gitLfs))
  test('a clone follows what was moved and copied without fetching a byte of it again', async () => {
    await using house = await setUp()
    const { git, path } = house
    const { client } = house.world
    const clone = join(path, 'clone')
    await git(path, 'lfs', 'install', '--skip-repo')
    await git(path, 'clone', '-q', house.repositoryUrl, clone)
    await client.moveFiles({ body: { From: 'acme/v1/films', To: 'acme/v1/cinema' } })
    await client.copyFiles({
      body: { From: 'acme/v1/cinema/one.mp4', To: 'acme/v1/banners/"one" #1.mp4' },
    })

    await house.withoutBytes(async () => {
      await git(clone, 'pull', '-q', '--ff-only')
    })
    expect(
      (await git(clone, 'lfs', 'ls-files', '--name-only')).split('\n').filter(Boolean),
    ).toEqual([
      'clients/acme/v1/banners/"one" #1.mp4',
      'clients/acme/v1/cinema/deep/two [2].mp4',
      'clients/acme/v1/cinema/one.mp4',
    ])
    const fileOf = (name: string) => Bun.file(join(clone, 'clients/acme/v1', name)).bytes()
    expect(sha256(await fileOf('banners/"one" #1.mp4'))).toBe(sha256(one))
    expect(sha256(await fileOf('cinema/deep/two [2].mp4'))).toBe(sha256(two))
    expect(await git(clone, 'status', '--porcelain')).toBe('')
    await git(clone, 'lfs', 'fsck')
    // From nothing, too.
    await git(path, 'clone', '-q', house.repositoryUrl, 'again')
    const again = Bun.file(join(path, 'again/clients/acme/v1/cinema/one.mp4'))
    expect(sha256(await again.bytes())).toBe(sha256(one))
  }, 60_000)
