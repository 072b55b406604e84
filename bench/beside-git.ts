import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, startService } from '../test/support/service-process.ts'
import { asInProduction } from './harness.ts'
import { createRepository, type Files, git } from './many-files.ts'

/** A service and a work tree of stock git that have the same files. */
export interface BesideGit extends AsyncDisposable {
  readonly dataDirectory: string
  readonly workTree: string
  /** Milliseconds from the request to the whole response, and what it says. */
  timed(path: string, body: unknown): Promise<{ readonly ms: number; readonly told: Told }>
  /** Commits what stands in the index, flushed as the service flushes. */
  commitByGit(subject: string): Promise<void>
}

interface Told {
  readonly Files?: number
  readonly Results?: readonly unknown[]
}

export async function openBesideGit(files: Files): Promise<BesideGit> {
  const room = await mkdtemp(join(tmpdir(), 'sedge-bench-'))
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rm(room, { recursive: true, force: true }))
  const dataDirectory = join(room, 'data')
  const repository = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory })).stop()
  await createRepository(repository, files)
  const workTree = await workTreeOf(repository, room)
  const service = opening.use(await startService({ dataDirectory, environment: asInProduction }))
  const closing = opening.move()
  return {
    dataDirectory,
    workTree,
    async timed(path, body) {
      const start = performance.now()
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { ...access, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const told = (await response.json()) as Told
      const ms = performance.now() - start
      if (!response.ok) throw new Error(`it said ${JSON.stringify(told).slice(0, 400)}`)
      return { ms, told }
    },
    commitByGit: (subject) =>
      git(workTree, '-c', 'core.fsync=all', 'commit', '--quiet', '-m', subject),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Of a copy, so that what either does to its packs is its own. */
async function workTreeOf(repository: string, room: string): Promise<string> {
  const bare = join(room, 'peer.git')
  const workTree = join(room, 'peer')
  await cp(repository, bare, { recursive: true })
  await mkdir(workTree)
  await git(room, 'clone', '--quiet', '--branch', 'main', bare, workTree)
  return workTree
}
