import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { ifPresent } from '../../lib/files/file-faults.ts'
import type { BlobRef } from '../../ports/content/blob-store.ts'
import { blobRoot, isFanOutName, isRestName } from './blob-layout.ts'

type ListedBlob = BlobRef & { readonly keptAt: Date }

/** Every blob below a store's directory, one innermost directory in memory at a time. */
export async function* listBlobs(directory: string): AsyncIterable<ListedBlob> {
  const root = blobRoot(directory)
  for (const outer of await namesIn(root, isFanOutName))
    for (const inner of await namesIn(join(root, outer), isFanOutName))
      yield* listInnermost(root, outer, inner)
}

async function* listInnermost(
  root: string,
  outer: string,
  inner: string,
): AsyncIterable<ListedBlob> {
  const directory = join(root, outer, inner)
  for (const rest of await namesIn(directory, isRestName)) {
    const found = await ifPresent(stat(join(directory, rest)))
    if (found?.isFile() !== true) continue
    yield { sha256: `${outer}${inner}${rest}`, sizeBytes: found.size, keptAt: found.mtime }
  }
}

const namesIn = async (directory: string, isOurs: (name: string) => boolean) =>
  ((await ifPresent(readdir(directory))) ?? []).filter(isOurs)
