import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { git } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import {
  clientPackages,
  clientPython,
  debianGits,
  have,
  isomorphicGit,
  pygit2,
} from '../support/needs.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

/** Git by other hands than those of git itself, and of other times. */
const programs = join(import.meta.dir, '../../tools/clients')
const hasPython = have('libgit2', pygit2)
const hasNode = have('isomorphic-git', isomorphicGit)
const undo = new AsyncDisposableStack()
let service: LocalService
let work: string

beforeAll(async () => {
  work = undo.use(await temporaryDirectory()).path
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(await openLocalService({ dataDirectory: join(directory.path, 'data') }))
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/logos/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
}, 60_000)

afterAll(() => undo.disposeAsync())

/** The whole repository and that of the zone, and where the zone is in each. A slash at the end would be doubled by some. */
const repositories = [
  ['/git', 'clients/acme/'],
  ['/git/acme.git', ''],
] as const

async function run(command: readonly string[], icon: string): Promise<void> {
  for (const [path, root] of repositories) await runOn([`${service.url}${path}`, root], command)
  const served = await fetch(`${service.url}/acme/v1/icons/${icon}.svg`)
  expect(await served.text()).toContain('<svg')
}

async function runOn([url, root]: readonly [string, string], command: readonly string[]) {
  const directory = await mkdtemp(join(work, 'client-'))
  const child = Bun.spawn([...command, url, testKeys.ACCESS_KEY, directory, root], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(output).toEqual(['all is well\n', ''])
}

test.skipIf(!hasPython)(
  'libgit2 clones, pushes, and hears what was refused',
  () => run([clientPython, join(programs, 'with_pygit2.py')], 'libgit2'),
  60_000,
)

test.skipIf(!hasNode)(
  'isomorphic-git clones, pushes, and hears what was refused',
  async () => {
    // Node looks for packages beside the program.
    const program = join(work, 'isomorphic-git.mjs')
    await symlink(clientPackages, join(dirname(program), 'node_modules'))
    await Bun.write(program, Bun.file(join(programs, 'isomorphic-git.mjs')))
    await run(['node', program], 'isomorphic')
  },
  60_000,
)

/** Git as it is found, or that of a directory. */
const gitIn =
  (place: string | undefined) =>
  async (directory: string, ...args: readonly string[]) => {
    const path = process.env['PATH'] ?? ''
    const PATH = place === undefined ? path : `${place}:${path}`
    return await git(directory, args, { PATH })
  }

/** Clones, pushes, pushes to a preview and hears what is refused, in the repository and in that of the zone. */
async function journey(name: string, place: string | undefined): Promise<string> {
  const ask = gitIn(place)
  const well = async (directory: string, ...args: readonly string[]) => {
    const { exitCode, output, errors } = await ask(directory, ...args)
    expect({ args, exitCode, errors }).toMatchObject({ args, exitCode: 0 })
    return output
  }
  const credential = `x:${testKeys.ACCESS_KEY}@`
  for (const [path, root] of repositories) {
    const directory = await mkdtemp(join(work, 'git-'))
    const url = `${service.url.replace('://', `://${credential}`)}${path}`
    await well(directory, 'clone', '-q', url, '.')
    const change = async (file: string, text: string) => {
      await Bun.write(join(directory, root, 'v1', file), text)
      await well(directory, 'add', '-A')
      await well(directory, 'commit', '-q', '-m', `Change ${file}`)
    }
    const file = `icons/${name}${root === '' ? '-zone' : ''}.svg`
    await change(file, '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const pushed = await ask(directory, 'push', 'origin', 'HEAD:main')
    expect(pushed.errors).toContain('remote: published')
    expect((await fetch(`${service.url}/acme/v1/${file}`)).status).toBe(200)
    await well(directory, 'fetch', '-q')
    expect(await well(directory, 'status', '-sb')).toContain('## main...origin/main\n')
    await change(file.replace('.svg', '-shown.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await well(directory, 'push', '-o', 'preview=acme/clients', 'origin', 'HEAD:main')
    const shown = file.replace('.svg', '-shown.svg')
    expect((await fetch(`${service.url}/@~clients/acme/v1/${shown}`)).status).toBe(200)
    expect((await fetch(`${service.url}/acme/v1/${shown}`)).status).toBe(404)
    await well(directory, 'reset', '-q', '--hard', 'origin/main')
    await change('icons/unfit.', 'a name that Windows does not have')
    const refused = await ask(directory, 'push', 'origin', 'HEAD:main')
    expect(refused.exitCode).not.toBe(0)
    expect(refused.errors).toContain('icons/unfit.: must not have segments that end in a dot')
    expect(await well(directory, 'fsck', '--strict')).toBe('')
    const partial = await mkdtemp(join(work, 'git-'))
    await well(partial, 'clone', '-q', '--depth=1', '--filter=blob:none', url, '.')
    expect(await well(partial, 'ls-files')).toContain(`${root}v1/${file}`)
  }
  return await well(work, '--version')
}

test('git of other releases of Debian clones and pushes as this one does', async () => {
  const made = await fetch(`${service.url}/api/core/zones/acme/previews`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'clients' }),
  })
  expect(made.status).toBe(201)
  const versions = [await journey('own', undefined)]
  for (const { release, directory, need } of debianGits)
    if (need.isThere()) versions.push(await journey(release, directory))
    // Not every mirror has every release.
    else console.log(`left out: ${need.what} (${need.howToGetIt})`)
  expect(new Set(versions).size).toBe(versions.length)
}, 120_000)
