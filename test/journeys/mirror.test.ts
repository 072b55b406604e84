import { expect, test } from 'bun:test'
import { chmod, cp, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { openGitServer } from '../support/git-server.ts'
import { openRoughProxy } from '../support/rough-proxy.ts'
import { sedge } from '../support/sedge-command.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

type Environment = Readonly<Record<string, string>>

const svg = (name: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title></svg>`

async function openWorld(password?: string) {
  const opening = new AsyncDisposableStack()
  const root = opening.use(await temporaryDirectory()).path
  const host = opening.use(await openGitServer(password === undefined ? {} : { password }))
  const clone = join(root, 'work')
  return {
    host,
    clone,
    start: (environment: Environment = {}) =>
      startService({
        dataDirectory: join(root, 'data'),
        environment: { GIT_REMOTE: host.url, LOG_LEVEL: 'error', ...environment },
      }),
    repository: join(root, 'data', 'repository.git'),
    run: (...args: readonly string[]) => runGit(clone, ...args),
    clones: () => runGit(root, 'clone', '-q', host.directory, 'work'),
    async write(files: Readonly<Record<string, string | undefined>>) {
      for (const [path, content] of Object.entries(files))
        await (content === undefined
          ? rm(join(clone, path))
          : Bun.write(join(clone, path), content))
    },
    async publish(subject: string) {
      await runGit(clone, 'add', '-A')
      await runGit(clone, 'commit', '-q', '-m', subject)
      await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
    },
    headAt: async (directory: string) => (await runGit(directory, 'rev-parse', 'main')).trim(),
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  }
}

test('what is written is pushed to the remote, and the rest when the service is told to end', async () => {
  await using world = await openWorld('a-secret-token')
  await using service = await world.start({ GIT_REMOTE_TOKEN: 'a-secret-token' })
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/logos/a.svg', svg('a'))
  const heads = async () =>
    (await runGit(world.host.directory, 'for-each-ref', '--format=%(refname)')).trim()
  await until(async () => (await heads()) === 'refs/heads/main')
  await worldOf(service).put('acme/v1/logos/b.svg', svg('b'))
  expect(await service.stop()).toBe(0)

  expect(await world.headAt(world.host.directory)).toBe(await world.headAt(world.repository))
  expect(await runGit(world.host.directory, 'ls-tree', '-r', '--name-only', 'main')).toContain(
    'clients/acme/v1/logos/b.svg',
  )
  expect(new Set(world.host.passwords)).toEqual(new Set(['a-secret-token']))
}, 60_000)

test('what others push to the remote is published, and both sides stand at one commit again', async () => {
  await using world = await openWorld()
  {
    await using service = await world.start()
    for (const zone of ['acme', 'bolt']) await worldOf(service).zone(zone)
    for (const name of ['edited', 'deleted', 'both', 'moved'])
      await worldOf(service).put(`acme/v1/logos/${name}.svg`, svg(name))
    await service.stop()
  }
  await world.clones()
  await world.write({
    'clients/acme/v1/logos/edited.svg': svg('theirs'),
    'clients/acme/v1/logos/deleted.svg': undefined,
    'clients/acme/v1/logos/moved.svg': undefined,
    'clients/acme/v1/icons/moved.svg': svg('moved'),
    'clients/new/v1/logos/a.svg': svg('new'),
    'README.md': 'about this repository',
  })
  await world.publish('edit')
  await world.write({
    'clients/bolt/zone.json': '{"enabled": true, "suspended": true}',
    'clients/acme/v1/logos/both.svg': svg('theirs'),
    'clients/acme/v1/logos/ours.SVG': svg('theirs'),
    'clients/acme/v1/logos/large.bin': 'x'.repeat(26_214_401),
    'clients/acme/v1/logos/largest.bin': 'x'.repeat(26_214_400),
    'clients/acme/v1/not servable./x': 'x',
    'clients/acme/v1/logos/new\nline.txt': 'x',
  })
  await symlink('edited.svg', join(world.clone, 'clients/acme/v1/logos/link.svg'))
  await world.publish('and more')
  {
    await using service = await world.start({ GIT_REMOTE: '' })
    await worldOf(service).put('acme/v1/logos/both.svg', svg('ours'))
    await worldOf(service).put('acme/v1/logos/ours.svg', svg('ours'))
  }

  await using service = await world.start({ GIT_REMOTE_IMPORT: 'true' })
  const at = (path: string) => fetch(`${service.url}/${path}`)
  const text = async (path: string) => (await at(path)).text()
  await until(async () => (await at('acme/v1/logos/largest.bin')).status === 200)
  expect(await text('acme/v1/logos/edited.svg')).toBe(svg('theirs'))
  expect(await text('acme/v1/logos/both.svg')).toBe(svg('ours'))
  expect(await text('acme/v1/logos/ours.svg')).toBe(svg('ours'))
  expect(await text('acme/v1/icons/moved.svg')).toBe(svg('moved'))
  expect(await text('new/v1/logos/a.svg')).toBe(svg('new'))
  for (const name of ['deleted.svg', 'moved.svg', 'ours.SVG', 'large.bin', 'link.svg'])
    expect({ name, status: (await at(`acme/v1/logos/${name}`)).status }).toEqual({
      name,
      status: 404,
    })
  const zones = await (await fetch(`${service.url}/api/core/zones`, { headers: account })).text()
  expect(zones).toContain('"new"')
  const suspended = await fetch(`${service.url}/api/storage/bolt/v1/logos/a.svg`, {
    method: 'PUT',
    headers: access,
    body: 'x',
  })
  expect(suspended.status).toBe(403)

  await until(
    async () =>
      (await world.headAt(world.host.directory)) === (await world.headAt(world.repository)),
  )
  const authors = await runGit(world.repository, 'log', '-2', '--first-parent', '--format=%an %s')
  expect(authors).toBe('Ada and more\nAda edit\n')
  // Nobody's clone is left behind: all that was pushed is still part of the history.
  await world.run('pull', '-q', '--ff-only', 'origin', 'main')
  const files = await world.run('ls-files')
  expect(files).toContain('README.md')
  expect(files).not.toContain('large.bin\n')
  await runGit(world.repository, 'fsck', '--strict')
  await runGit(world.host.directory, 'fsck', '--strict')
}, 120_000)

test('without leave to take them up, commits of others stop the mirror and nothing else', async () => {
  await using world = await openWorld()
  {
    await using service = await world.start()
    await worldOf(service).zone('acme')
    await service.stop()
  }
  await world.clones()
  await world.write({ 'clients/acme/v1/logos/theirs.svg': svg('theirs') })
  await world.publish('theirs')
  const theirs = await world.headAt(world.host.directory)

  await using service = await world.start()
  await worldOf(service).put('acme/v1/logos/ours.svg', svg('ours'))
  const checkOf = async () => {
    const response = await fetch(`${service.url}/api/health?deep=1`)
    const { checks } = (await response.json()) as { checks: { name: string; healthy: boolean }[] }
    return { status: response.status, ...checks.find(({ name }) => name === 'mirror') }
  }
  await until(async () => (await checkOf()).healthy === false)

  expect(await checkOf()).toMatchObject({ status: 503, name: 'mirror', healthy: false })
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
  await worldOf(service).put('acme/v1/logos/more.svg', svg('more'))
  expect(await service.stop()).toBe(0)
  expect(await world.headAt(world.host.directory)).toBe(theirs)
}, 60_000)

test('a remote that hangs holds up no write, no response, and not the end', async () => {
  await using world = await openWorld()
  await using proxy = await openRoughProxy(world.host.url)
  proxy.set({ kind: 'black hole' })
  const remote = `${proxy.url}/mirror.git`
  await using service = await world.start({ GIT_REMOTE: remote })
  await worldOf(service).zone('acme')
  for (let index = 0; index < 150; index += 1)
    await worldOf(service).put(`acme/v1/logos/${index}.svg`, svg(String(index)))
  expect((await fetch(`${service.url}/acme/v1/logos/149.svg`)).status).toBe(200)
  expect(await service.stop()).toBe(0)

  expect(await runGit(world.host.directory, 'for-each-ref')).toBe('')
  proxy.set({ kind: 'clear' })
  await using again = await world.start({ GIT_REMOTE: remote })
  await until(async () => (await runGit(world.host.directory, 'for-each-ref')) !== '')
  await again.stop()
  expect(await world.headAt(world.host.directory)).toBe(await world.headAt(world.repository))
}, 90_000)

test('after a restore from an older backup, what the mirror has beyond it comes back', async () => {
  await using world = await openWorld()
  const backup = `${world.clone}.git`
  for (const name of ['kept', 'newer']) {
    await using service = await world.start()
    if (name === 'kept') await worldOf(service).zone('acme')
    await worldOf(service).put(`acme/v1/logos/${name}.svg`, svg(name))
    await service.stop()
    if (name === 'kept') await cp(world.repository, backup, { recursive: true })
  }
  await rm(dirname(world.repository), { recursive: true })
  await cp(backup, world.repository, { recursive: true })

  await using service = await world.start({ GIT_REMOTE_IMPORT: 'true' })
  expect((await fetch(`${service.url}/acme/v1/logos/kept.svg`)).status).toBe(200)
  await until(async () => (await fetch(`${service.url}/acme/v1/logos/newer.svg`)).status === 200)
}, 60_000)

test('over SSH, git finds its way as the operator has set it', async () => {
  await using world = await openWorld()
  const ssh = `${world.clone}-ssh`
  // In place of a connection: the command that the other side would run, here.
  await Bun.write(ssh, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
  await chmod(ssh, 0o755)
  await using service = await world.start({
    GIT_REMOTE: `ssh://git@git.example.org${world.host.directory}`,
    GIT_SSH_COMMAND: ssh,
  })
  await worldOf(service).zone('acme')
  expect(await service.stop()).toBe(0)

  expect(await world.headAt(world.host.directory)).toBe(await world.headAt(world.repository))
}, 60_000)

const film = (seed: string) => seed.repeat(1_200_000)

interface Check {
  readonly name: string
  readonly healthy: boolean
}

async function mirrorChecks({ url }: { readonly url: string }): Promise<Record<string, boolean>> {
  const response = await fetch(`${url}/api/health?deep=1`)
  const { checks } = (await response.json()) as { readonly checks: readonly Check[] }
  const ours = checks.filter(({ name }) => name.startsWith('mirror'))
  return Object.fromEntries(ours.map(({ name, healthy }) => [name, healthy]))
}

test('a mirror at a host without LFS gets the commits, and health says what they lack', async () => {
  await using world = await openWorld()
  await using service = await world.start({ LFS_ABOVE_MB: '1' })
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/titles/film.mp4', film('a'))
  const atHost = () =>
    runGit(world.host.directory, 'ls-tree', '-r', '--name-only', 'main').catch(() => '')
  await until(async () => (await atHost()).includes('film.mp4'))
  expect(await atHost()).toContain('clients/acme/v1/titles/.gitattributes')
  await until(async () => (await mirrorChecks(service))['mirrored-files'] === false)

  expect(await mirrorChecks(service)).toEqual({ mirror: true, 'mirrored-files': false })
  expect(await service.stop()).toBe(0)
}, 60_000)

test('a mirror in a directory is a backup of large files too, from which everything comes back', async () => {
  await using directory = await temporaryDirectory()
  const mirror = join(directory.path, 'mirror.git')
  await runGit(directory.path, 'init', '-q', '--bare', '--initial-branch=main', mirror)
  const environment = { LFS_ABOVE_MB: '1', LOG_LEVEL: 'error' }
  {
    await using service = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: { ...environment, GIT_REMOTE: mirror },
    })
    await worldOf(service).zone('acme')
    await worldOf(service).put('acme/v1/titles/film.mp4', film('a'))
    await until(async () =>
      (await runGit(mirror, 'ls-tree', '-r', 'main').catch(() => '')).includes('film.mp4'),
    )
    expect(await mirrorChecks(service)).toEqual({ mirror: true, 'mirrored-files': true })
    expect(await service.stop()).toBe(0)
  }
  const stored = { ...environment, DATA_DIR: join(directory.path, 'data') }
  await rm(join(stored.DATA_DIR, 'blobs', 'sha256'), { recursive: true })
  expect((await sedge(['doctor', '--repair'], stored)).out).toContain('blob-lost')
  const mended = await sedge(['doctor', '--repair'], { ...stored, GIT_REMOTE: mirror })
  expect([mended.exitCode, mended.out]).toEqual([
    0,
    expect.stringContaining('blob-missing, put right: acme/v1/titles/film.mp4'),
  ])

  const restored = join(directory.path, 'restored')
  await cp(mirror, join(restored, 'repository.git'), { recursive: true })
  await using service = await startService({ dataDirectory: restored, environment })
  const served = await fetch(`${service.url}/acme/v1/titles/film.mp4`)
  expect((await served.text()) === film('a')).toBe(true)
}, 60_000)
