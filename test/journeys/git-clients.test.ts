import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { clientPackages, clientPython, have, isomorphicGit, pygit2 } from '../support/needs.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

/** Git by other hands than those of git itself. */
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
