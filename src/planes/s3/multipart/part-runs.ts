import type { PartSizes } from '../../../ports/records/asset-metadata.ts'
import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import { objectLimits } from '../../../domain/content/metadata/object-metadata.ts'

/** The sizes of parts, as an object keeps them; nothing where too many have each another size. */
export function partRuns(parts: readonly Pick<UploadPart, 'sizeBytes'>[]): {
  readonly parts?: readonly PartSizes[]
} {
  const runs: PartSizes[] = []
  for (const { sizeBytes } of parts) {
    const last = runs.at(-1)
    if (last?.sizeBytes === sizeBytes) runs.splice(-1, 1, { sizeBytes, count: last.count + 1 })
    else runs.push({ sizeBytes, count: 1 })
  }
  return runs.length > objectLimits.partRuns ? {} : { parts: runs }
}
