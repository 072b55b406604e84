import { parseDictionary as parse, parseItem, Token } from 'structured-headers'

/**
 * A token is given as its text, a byte sequence as its bytes; a member without a value is `true`; an
 * inner list is `undefined`.
 */
export type DictionaryValue = string | number | boolean | Uint8Array | undefined

/**
 * The members of a structured dictionary (RFC 9651 §3.2) without their parameters, or `undefined`
 * where the field does not parse, which means that the whole of it must be ignored.
 */
export function readDictionary(field: string): ReadonlyMap<string, DictionaryValue> | undefined {
  try {
    const members = [...parse(field)]
    return new Map(members.map(([key, [value]]) => [key, plain(value)]))
  } catch {
    return undefined
  }
}

/** The value of a structured item (RFC 9651 §3.3) without its parameters, `undefined` where it is none. */
export function readItem(field: string): DictionaryValue {
  try {
    return plain(parseItem(field)[0])
  } catch {
    return undefined
  }
}

/**
 * Whether a Want-Repr-Digest or Want-Content-Digest field asks for the one digest there is (RFC 9530 §4):
 * 0 means "do not".
 */
export function wantsSha256(field: string | null): boolean {
  if (field === null) return false
  const weight = readDictionary(field)?.get('sha-256')
  return typeof weight === 'number' && weight > 0
}

function plain(value: unknown): DictionaryValue {
  if (value instanceof Token) return value.toString()
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? value : undefined
}
