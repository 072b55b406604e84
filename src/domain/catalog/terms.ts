import type { JsonValue } from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

interface Asked {
  readonly tags?: readonly string[] | undefined
  readonly field?: { readonly name: string; readonly value: string } | undefined
}

/** Which documents have a tag, or a value of a field. */
export interface Terms {
  add(document: number, record: AssetRecord): void
  remove(document: number, record: AssetRecord): void
  /** Those that have the rarest of what is asked for; `undefined` where nothing of the kind is. */
  candidates(asked: Asked): Uint32Array<ArrayBuffer> | undefined
}

export function createTerms(): Terms {
  const documentsByTerm = new Map<string, Set<number>>()
  const none: ReadonlySet<number> = new Set()
  return {
    add(document, record) {
      for (const term of termsOf(record)) {
        const documents = documentsByTerm.get(term)
        if (documents === undefined) documentsByTerm.set(term, new Set([document]))
        else documents.add(document)
      }
    },
    remove(document, record) {
      for (const term of termsOf(record)) {
        const documents = documentsByTerm.get(term)
        documents?.delete(document)
        if (documents?.size === 0) documentsByTerm.delete(term)
      }
    },
    candidates({ tags = [], field }) {
      const terms = [...tags.map(tagTerm), ...(field ? [fieldTerm(field.name, field.value)] : [])]
      const sets = terms.map((term) => documentsByTerm.get(term) ?? none)
      const [rarest] = sets.toSorted((one, other) => one.size - other.size)
      return rarest && Uint32Array.from(rarest)
    },
  }
}

/** Of a list each value is one; what is made of others has no text. */
export const fieldTexts = (value: JsonValue): readonly string[] =>
  [value].flat().flatMap((each) => (typeof each === 'object' ? [] : [String(each)]))

const tagTerm = (tag: string): string => `tag ${tag}`
const fieldTerm = (name: string, value: string): string => `field ${name}:${value}`

const termsOf = ({ metadata }: AssetRecord): readonly string[] =>
  metadata === undefined
    ? []
    : [
        ...(metadata.tags ?? []).map(tagTerm),
        ...Object.entries(metadata.custom ?? {}).flatMap(([name, value]) =>
          fieldTexts(value).map((text) => fieldTerm(name, text)),
        ),
      ]
