import { createHash } from 'node:crypto'

import type { Change, Tree } from '../../../ports/content/content-store.ts'
import type { AssetPath } from '../asset-path.ts'
import { pathConflict } from '../write-guards.ts'
import { parseSidecar, type Sidecar, SidecarError } from './sidecar.ts'
import { sidecarPath } from './sidecar-paths.ts'

/** One that cannot be read says nothing, and is written anew. */
export async function readSidecar(tree: Tree, path: AssetPath): Promise<Sidecar> {
  const bytes = await tree.read(sidecarPath(path))
  if (bytes === undefined) {
    await refuseBlockedSidecar(tree, path)
    return { metadata: {}, others: {} }
  }
  try {
    return parseSidecar(bytes)
  } catch (error) {
    if (!(error instanceof SidecarError)) throw error
    return { metadata: { fault: error.message }, others: {} }
  }
}

const maxNameBytes = 255

/** Beside a file `a` there may be a directory `a.json`: the files that tell of both cannot both be. */
async function refuseBlockedSidecar(tree: Tree, path: AssetPath): Promise<void> {
  const segments = sidecarPath(path).split('/')
  if (Buffer.byteLength(segments.at(-1) ?? '') > maxNameBytes)
    throw pathConflict(path, `has too long a name to be described: ${maxNameBytes - 5} bytes do`)
  for (let length = 4; length <= segments.length; length += 1) {
    const found = await tree.find(segments.slice(0, length).join('/'))
    if (found === undefined) return
    if (length === segments.length || found.kind === 'file')
      throw pathConflict(
        path,
        'cannot be described beside a file or directory of that name and .json',
      )
  }
}

/**
 * Writes it, or takes it away. The blob store is spared the bytes: git has them, and nobody asks for them by
 * their SHA-256.
 */
export function sidecarChange(path: AssetPath, bytes: Uint8Array | undefined): Change {
  if (bytes === undefined) return { kind: 'delete', path: sidecarPath(path) }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const blob = { sha256, sizeBytes: bytes.length }
  return { kind: 'put', path: sidecarPath(path), blob, bytes }
}
