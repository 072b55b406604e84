import { createHash } from 'node:crypto'

import type { NameResolver } from '../../../ports/domains/name-resolver.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'

/** The TXT record by which whoever has a host name says which zone may use it. */
export interface DomainProof {
  readonly name: string
  readonly value: string
}

/**
 * The record for a zone. Its value is no secret: that it stands in the name's own DNS is the proof. It
 * differs for a zone that is made anew under the same name.
 */
export const proofOf = (zone: ZoneRecord, hostname: string): DomainProof => ({
  name: `_sedge.${hostname}`,
  value: `sedge-zone=${zone.name}-${markOf(zone)}`,
})

const markOf = ({ name, commitId, createdAt }: ZoneRecord): string =>
  createHash('sha256')
    .update(`${name}\n${commitId ?? createdAt.getTime()}`)
    .digest('hex')
    .slice(0, 32)

export type ProofCheck =
  | { readonly isProven: true }
  /** `isAbsent`: somebody has to set the record; else it could not be looked up. */
  | { readonly isProven: false; readonly isAbsent: boolean; readonly reason: string }

export async function checkProof(
  { name, value }: DomainProof,
  resolver: Pick<NameResolver, 'texts'>,
): Promise<ProofCheck> {
  const found = await resolver.texts(name)
  if (found.kind === 'found' && found.values.some((text) => text.trim() === value))
    return { isProven: true }
  const isAbsent = found.kind !== 'unknown'
  const reason = isAbsent
    ? `Nothing shows yet that the name belongs to this zone: set the record "${name} TXT ${value}".`
    : `The TXT record of ${name} could not be looked up: ${found.reason}.`
  return { isProven: false, isAbsent, reason }
}
