import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { MetadataOfCommit } from './metadata-of-commit.ts'

/** A zone with what its own files say once a commit is in. */
export async function withOwnFiles(
  { fields: _fields, transforms: _transforms, ...zone }: ZoneRecord,
  metadata: Pick<MetadataOfCommit, 'fieldsOf' | 'transformsOf'>,
): Promise<ZoneRecord> {
  const fields = await metadata.fieldsOf(zone.name)
  const transforms = await metadata.transformsOf(zone.name)
  return {
    ...zone,
    ...(fields !== undefined && { fields }),
    ...(transforms !== undefined && { transforms }),
  }
}
