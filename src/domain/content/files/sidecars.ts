import type { Change, Put, Tree } from '../../../ports/content/content-store.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, fileNameOf } from '../asset-path.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { createMutualGuard, pathConflict } from '../write-guards.ts'
import { createConflictGuard } from './conflict-guard.ts'
import type { createFaults } from './edit-faults.ts'

/** Whether assets have such a file, asked of each of their directories once. */
export function createSidecars(tree: Tree): (path: AssetPath) => Promise<boolean> {
  const namesByDirectory = new Map<string, Promise<ReadonlySet<string>>>()
  const namesIn = async (directory: string) =>
    new Set((await tree.children(directory)).map(({ name }) => name))
  return async (path) => {
    const sidecar = sidecarPath(path)
    const slash = sidecar.lastIndexOf('/')
    const directory = sidecar.slice(0, slash)
    const known = namesByDirectory.get(directory) ?? namesIn(directory)
    namesByDirectory.set(directory, known)
    return (await known).has(sidecar.slice(slash + 1))
  }
}

/** Of what file systems take. */
const maxNameBytes = 255

/** An asset with such a file, on its way to another path. */
export interface SidecarArrival {
  readonly from: AssetPath
  readonly to: AssetPath
  /** What the request calls `to`. */
  readonly field: string
}

/**
 * Refuses those for whose file there is no room: its name would be too long, or the file of an asset `a`
 * and the directory for what is known of `a.json/b` would be one. Looks at the tree without `deletes`.
 */
export async function refuseUnfittingSidecars(
  tree: Tree,
  arrivals: readonly SidecarArrival[],
  { deletes, faults }: Situation,
): Promise<void> {
  if (arrivals.length === 0) return
  const isTaken = createConflictGuard(tree, new Set(deletes.map(({ path }) => path)))
  const refuseBeside = createMutualGuard(arrivals.map(({ to }) => sidecarPath(to)))
  for (const { to, field } of arrivals)
    await faults.noting(field, async () => {
      const place = sidecarPath(to)
      if (Buffer.byteLength(fileNameOf(place)) > maxNameBytes)
        throw pathConflict(to, 'is too long a name for what is known of the file')
      try {
        refuseBeside(place)
        await isTaken(to, place)
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown
        throw pathConflict(to, `leaves no room for what is known of the file, at "${place}"`)
      }
    })
  faults.throwAny()
}

interface Situation {
  readonly deletes: readonly Change[]
  readonly faults: ReturnType<typeof createFaults>
}

export async function sidecarPut(tree: Tree, from: AssetPath, to: AssetPath): Promise<Put> {
  const found = await tree.find(sidecarPath(from))
  if (found?.kind !== 'file') throw new Error(`what is known of ${from} is no file`)
  const content = { id: found.contentId, from: 'stored' } as const
  return { kind: 'put', path: sidecarPath(to), blob: await found.keep(), content }
}
