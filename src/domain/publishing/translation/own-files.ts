import { ownRuleMembers, type ZoneRecord } from '../../../ports/records/zone.ts'
import type { MetadataOfCommit } from './metadata-of-commit.ts'

/** A zone with what its own files say once a commit is in. */
export async function withOwnFiles(
  { fields: _fields, headers: _headers, ...others }: ZoneRecord,
  metadata: Pick<MetadataOfCommit, 'fieldsOf' | 'rulesOf'>,
): Promise<ZoneRecord> {
  const { redirects: _redirects, transforms: _transforms, ...zone } = others
  const fields = await metadata.fieldsOf(zone.name)
  const rules = await metadata.rulesOf(zone.name)
  return { ...zone, ...(fields !== undefined && { fields }), ...rules }
}

/** Whether the files of a zone say what they said before. */
export const hasSameFiles = (one: ZoneRecord, other: ZoneRecord): boolean =>
  one.fields === other.fields &&
  Object.values(ownRuleMembers).every((member) => one[member] === other[member])
