import type { BodyName } from './body-files.ts'
import type { StoredRecord } from './stored-response.ts'

/** A stored response as it is written down: the record, and the name of its body. */
export interface DiskVariant {
  readonly record: StoredRecord
  readonly body: BodyName
}

/** One line of digest, then JSON. */
export function serializeVariants(variants: readonly DiskVariant[]): string {
  const json = JSON.stringify(
    variants.map(({ record, body }) => ({ ...record, headers: [...record.headers], body })),
  )
  return `${digestOf(json)}\n${json}`
}

/** The variants of `key`, or `undefined` where the text is not what was written, or not for that key. */
export function parseVariants(text: string, key: string): readonly DiskVariant[] | undefined {
  const json = text.slice(text.indexOf('\n') + 1)
  if (!text.startsWith(`${digestOf(json)}\n`)) return undefined
  const rows = JSON.parse(json) as readonly Row[]
  return rows.every((row) => row.key === key) ? rows.map(variantOf) : undefined
}

type Row = Omit<StoredRecord, 'headers'> & {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: BodyName
}

function variantOf({ body, headers: fields, ...rest }: Row): DiskVariant {
  const headers = new Headers()
  for (const [name, value] of fields) headers.append(name, value)
  return { record: { ...rest, headers }, body }
}

const digestOf = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')
