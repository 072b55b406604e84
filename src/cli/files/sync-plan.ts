import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import type { LocalFile } from './upload/import-plan.ts'
import type { RemoteFile } from './remote-files.ts'

/** What makes storage the same as the directory. */
export interface SyncPlan {
  readonly created: readonly LocalFile[]
  readonly changed: readonly LocalFile[]
  readonly unchanged: readonly LocalFile[]
  /** In storage alone. */
  readonly extra: readonly RemoteFile[]
}

interface Sides {
  readonly local: readonly LocalFile[]
  readonly remote: readonly RemoteFile[]
  /** SHA-256 in hex of the file at a local path. */
  readonly sha256Of: (source: string) => Promise<string>
}

const hashedAtOnce = 8

/** Compares by SHA-256; a file of another size need not be read for it. */
export async function planSync({ local, remote, sha256Of }: Sides): Promise<SyncPlan> {
  const remoteByPath = new Map(remote.map((file) => [file.path, file]))
  const compared = await mapConcurrently(local, hashedAtOnce, async (file) => {
    const stored = remoteByPath.get(file.path)
    if (stored === undefined) return { file, state: 'created' } as const
    const isSame =
      stored.sizeBytes === file.sizeBytes && stored.sha256 === (await sha256Of(file.source))
    return { file, state: isSame ? 'unchanged' : 'changed' } as const
  })
  const inState = (wanted: (typeof compared)[number]['state']) =>
    compared.filter(({ state }) => state === wanted).map(({ file }) => file)
  const localPaths = new Set(local.map(({ path }) => path))
  return {
    created: inState('created'),
    changed: inState('changed'),
    unchanged: inState('unchanged'),
    extra: remote.filter(({ path }) => !localPaths.has(path)),
  }
}
