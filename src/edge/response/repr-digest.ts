import { readDictionary } from '../../lib/text/structured-fields.ts'

/** Whether a Want-Repr-Digest field asks for the one digest there is (RFC 9530 §4): 0 means "do not". */
export function wantsSha256(field: string | null): boolean {
  if (field === null) return false
  const weight = readDictionary(field)?.get('sha-256')
  return typeof weight === 'number' && weight > 0
}
