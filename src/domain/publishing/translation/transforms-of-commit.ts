import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Put, Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { maxTransformsBytes } from '../../content/rule-files.ts'
import { transformsPath } from '../../content/metadata/sidecar-paths.ts'
import { bytesOfPut } from './bytes-of-put.ts'

interface Dependencies {
  readonly tree: Pick<Tree, 'read'>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly published: Pick<Manifest, 'zone'>
}

/** The text of each zone's own `_transforms` once a commit is in; what is too long counts as none. */
export function transformsOfCommit(
  putByZone: ReadonlyMap<string, Put | undefined>,
  { tree, blobs, published }: Dependencies,
) {
  return async (zone: string): Promise<string | undefined> => {
    if (putByZone.has(zone)) return await putText(putByZone.get(zone))
    const record = published.zone(zone)
    if (record !== undefined) return record.transforms
    // It came before the zone that it is for.
    return textIn(await tree.read(transformsPath(zone)))
  }

  async function putText(put: Put | undefined): Promise<string | undefined> {
    if (put === undefined || put.blob.sizeBytes > maxTransformsBytes) return undefined
    return textIn(await bytesOfPut(put, blobs))
  }
}

const textIn = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined || bytes.length === 0 || bytes.length > maxTransformsBytes
    ? undefined
    : new TextDecoder().decode(bytes).replaceAll('\0', '')
