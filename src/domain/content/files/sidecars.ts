import type { Tree } from '../../../ports/content/content-store.ts'
import type { AssetPath } from '../asset-path.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'

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
