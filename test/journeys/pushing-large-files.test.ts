import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { git as anyGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { gitLfs, have } from '../support/needs.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string
const isAble = have('pushes of large files', gitLfs)
const bytes = new Uint8Array(3 * 2 ** 20).map((_, place) => (place * 11) % 251)

beforeAll(async () => {
  work = undo.use(await temporaryDirectory()).path
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory.path, 'data'),
      environment: { LFS_ABOVE_MB: '1' },
    }),
  )
  await worldOf(service).zone('acme')
}, 60_000)

afterAll(() => undo.disposeAsync())

/** With the configuration that `git lfs install` wrote. */
async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await anyGit(directory, args, { HOME: work })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output
}

test.skipIf(!isAble)(
  'git lfs brings large files with a push, and a pointer without its bytes is refused',
  async () => {
    await runGit(work, 'lfs', 'install', '--skip-repo')
    const url = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
    await runGit(work, 'clone', '-q', url, 'clone')
    const clone = join(work, 'clone')
    await mkdir(join(clone, 'clients/acme/v1/films'), { recursive: true })
    await runGit(clone, 'lfs', 'track', 'clients/acme/v1/films/*.bin')
    await Bun.write(join(clone, 'clients/acme/v1/films/film.bin'), bytes)
    await runGit(clone, 'add', '-A')
    await runGit(clone, 'commit', '-q', '-m', 'Add a film')
    await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
    const served = await fetch(`${service.url}/acme/v1/films/film.bin`)
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await runGit(clone, 'show', 'HEAD:clients/acme/v1/films/film.bin')).toContain('git-lfs')

    await Bun.write(join(clone, 'clients/acme/v1/films/other.bin'), bytes.slice(9))
    await runGit(clone, 'add', '-A')
    await runGit(clone, 'commit', '-q', '-m', 'Add another film')
    const pushed = await anyGit(clone, ['push', '--no-verify', 'origin', 'HEAD:main'], {
      HOME: work,
    })
    expect(pushed.exitCode).not.toBe(0)
    expect(pushed.errors).toContain(
      'films/other.bin: its bytes are not here: git lfs push them first',
    )
    await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
    expect((await fetch(`${service.url}/acme/v1/films/other.bin`)).status).toBe(200)
  },
  60_000,
)
