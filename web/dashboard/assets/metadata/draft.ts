import type { Input } from '../../../../src/client/types.ts'
import type { AssetMetadata } from '../asset.ts'

export type MetadataPatch = NonNullable<Input<'describeAsset'>['body']>

/** What is said of an asset, as fields have it: all of it text, `''` where nothing is said. */
export interface MetadataDraft {
  readonly title: string
  /** By language. */
  readonly alt: Readonly<Record<string, string>>
  readonly description: string
  /** Separated by commas. */
  readonly tags: string
  readonly copyright: string
  readonly licence: string
  /** A day, UTC. */
  readonly expires: string
  /** Fields of the zone's own, by their names. */
  readonly custom: Readonly<Record<string, string>>
}

export const emptyDraft: MetadataDraft = {
  title: '',
  alt: {},
  description: '',
  tags: '',
  copyright: '',
  licence: '',
  expires: '',
  custom: {},
}

export const draftOf = (said: AssetMetadata['Metadata']): MetadataDraft => ({
  title: said.Title ?? '',
  alt: said.Alt,
  description: said.Description ?? '',
  tags: said.Tags.join(', '),
  copyright: said.Copyright ?? '',
  licence: said.Licence ?? '',
  expires: said.Expires?.slice(0, 10) ?? '',
  custom: Object.fromEntries(
    Object.entries(said.Custom).map(([name, value]) => [name, textOf(value)] as const),
  ),
})

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** A number, a list or whatever else JSON has is that; all else is a text. */
function valueOf(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const plain = {
  title: 'Title',
  description: 'Description',
  copyright: 'Copyright',
  licence: 'Licence',
} as const

/** What differs, as a merge patch: what is empty now is taken away. */
export function changedMembers(before: MetadataDraft, after: MetadataDraft): MetadataPatch {
  const texts = Object.entries(plain).flatMap(([key, member]) => {
    const text = after[key as keyof typeof plain].trim()
    return text === before[key as keyof typeof plain] ? [] : [[member, text || null] as const]
  })
  const alt = changedOf(before.alt, after.alt, (text) => text.trim() || null)
  const custom = changedOf(before.custom, after.custom, (text) => valueOf(text.trim()))
  return {
    ...Object.fromEntries(texts),
    ...(alt !== undefined && { Alt: alt }),
    ...(after.tags !== before.tags && { Tags: tagsOf(after.tags) }),
    ...(after.expires !== before.expires && {
      Expires: after.expires === '' ? null : `${after.expires}T00:00:00Z`,
    }),
    ...(custom !== undefined && { Custom: custom }),
  }
}

const tagsOf = (text: string): string[] =>
  text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))

function changedOf<Value>(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  read: (text: string) => Value,
): Record<string, Value> | undefined {
  const changed = Object.entries(after).filter(([name, text]) => text !== (before[name] ?? ''))
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map(([name, text]) => [name, read(text)] as const))
}
