import { isDeepStrictEqual } from 'node:util'

import type { Change, Tree } from '../../../ports/content/content-store.ts'
import type { AssetMetadata, ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetPath } from '../asset-path.ts'
import { personsValues } from '../metadata/first-values.ts'
import { compact } from '../metadata/members.ts'
import { compactObject } from '../metadata/object-metadata.ts'
import { serialiseSidecar, type Sidecar } from '../metadata/sidecar.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { readSidecar, sidecarChange } from '../metadata/stored-sidecar.ts'

/** What clients of S3 say of an object, but for the bytes they say it of. */
export type ObjectWords = Omit<ObjectMetadata, 'sha256'>

/**
 * What makes the file beside an asset say this of it, and leaves what persons said. Nothing where it says so
 * already.
 */
export async function objectChanges(
  tree: Tree,
  path: AssetPath,
  object: ObjectMetadata,
): Promise<readonly Change[]> {
  const said = compactObject(object)
  if (said === undefined && (await tree.find(sidecarPath(path))) === undefined) return []
  const before = await readSidecar(tree, path)
  return changed(path, before, { ...before, metadata: { ...before.metadata, object: said } })
}

/** Makes the file beside an asset say what that of another one says, and of the object this. */
export async function copiedSidecar(
  tree: Tree,
  path: AssetPath,
  { source, object }: { readonly source: Sidecar; readonly object: ObjectMetadata },
): Promise<readonly Change[]> {
  const hasFile = (await tree.find(sidecarPath(path))) !== undefined
  const wanted = { ...source, metadata: { ...source.metadata, object: compactObject(object) } }
  if (!hasFile && serialised(wanted) === undefined) return []
  return changed(path, await readSidecar(tree, path), wanted)
}

interface Wanted extends Pick<Sidecar, 'others'> {
  readonly metadata: Omit<AssetMetadata, 'object'> & { readonly object: ObjectMetadata | undefined }
}

function changed(path: AssetPath, before: Sidecar, wanted: Wanted): readonly Change[] {
  const { fault: _former, ...known } = before.metadata
  const after = metadataOf(wanted)
  const isSame = isDeepStrictEqual(after, known) && isDeepStrictEqual(before.others, wanted.others)
  return isSame ? [] : [sidecarChange(path, serialised(wanted))]
}

const serialised = (wanted: Wanted): Uint8Array | undefined =>
  serialiseSidecar({ metadata: metadataOf(wanted), others: wanted.others })

function metadataOf({ metadata: { object, ...metadata } }: Wanted): AssetMetadata {
  const { fault: _fault, ...said } = personsValues(metadata)
  return compact({ ...said, ...(object !== undefined && { object }) })
}
