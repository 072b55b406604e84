import type { AssetMetadata, JsonValue } from '../../../ports/records/asset-metadata.ts'
import {
  altOf,
  byUnits,
  compact,
  customOf,
  languageOf,
  membersOf,
  metadataLimits,
  momentOf,
  pointOf,
  requireDepth,
  requireLanguages,
  tagsOf,
  textOf,
} from './members.ts'

/** What is to be said of an asset. What is left out stays as it is, and `null` takes it back (RFC 7396). */
export interface MetadataPatch {
  readonly title?: string | null
  /** By language; each can be taken back by itself. */
  readonly alt?: Readonly<Record<string, string | null>> | null
  readonly description?: string | null
  readonly tags?: readonly string[] | null
  readonly copyright?: string | null
  readonly licence?: string | null
  /** RFC 3339. */
  readonly expiresAt?: string | null
  /** The zone's own fields; each can be taken back by itself. */
  readonly custom?: Readonly<Record<string, unknown>> | null
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
}

export type MetadataEdit = (
  | { readonly kind: 'set'; readonly patch: MetadataPatch }
  | { readonly kind: 'tag' | 'untag'; readonly tags: readonly string[] }
) & {
  /** What whoever asks calls the members, for refusals; by default as they are called here. */
  readonly names?: MemberNames
}

export type DescribingEdit = Extract<MetadataEdit, { readonly kind: 'set' }>

export type MemberNames = Readonly<Record<keyof MetadataPatch, string>>

/**
 * What persons say once `edit` is made. `known` is what is said now, by persons or by the file: whoever
 * adds a tag or a language adds it to what is shown. Refuses what breaks the bounds, naming the member.
 */
export function editedMetadata(
  persons: AssetMetadata,
  known: AssetMetadata,
  edit: MetadataEdit,
): AssetMetadata {
  if (edit.kind === 'set') return patched(persons, known, edit)
  const target = edit.names?.tags ?? 'tags'
  const named = tagsOf(edit.tags, target)
  const now = new Set(known.tags)
  if (named.every((tag) => now.has(tag) === (edit.kind === 'tag'))) return persons
  for (const tag of named) now[edit.kind === 'tag' ? 'add' : 'delete'](tag)
  return compact({ ...persons, tags: tagsOf([...now], target) })
}

function patched(
  persons: AssetMetadata,
  known: AssetMetadata,
  { patch, names }: DescribingEdit,
): AssetMetadata {
  const changes = Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const member = name as keyof MetadataPatch
      if (value === null) return [member, undefined]
      return [member, writers[member](value, names?.[member] ?? member, known)]
    })
  return compact({ ...persons, ...Object.fromEntries(changes) })
}

type Writer = (value: unknown, target: string, known: AssetMetadata) => unknown

const text =
  (maxLength: number): Writer =>
  (value, target) =>
    textOf(value, maxLength, target)

const writers: Readonly<Record<keyof MetadataPatch, Writer>> = {
  title: text(metadataLimits.titleLength),
  description: text(metadataLimits.descriptionLength),
  copyright: text(metadataLimits.copyrightLength),
  licence: text(metadataLimits.licenceLength),
  expiresAt: momentOf,
  focalPoint: pointOf,
  tags: tagsOf,
  alt: patchedAlt,
  custom(value, target, { custom = {} }) {
    const patch = membersOf(value, target)
    requireDepth(patch, metadataLimits.customDepth, target)
    return customOf(mergePatch(custom, patch) as Readonly<Record<string, JsonValue>>, target)
  },
}

function patchedAlt(value: unknown, target: string, { alt = {} }: AssetMetadata) {
  const texts = new Map(Object.entries(alt))
  for (const [tag, each] of Object.entries(membersOf(value, target))) {
    const language = languageOf(tag, target)
    if (each === null) texts.delete(language)
    else texts.set(language, altOf(each, `${target}.${language}`))
  }
  requireLanguages(texts.size, target)
  return Object.fromEntries([...texts].toSorted(([one], [other]) => byUnits(one, other)))
}

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const merged = new Map(isObject ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch))
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  return Object.fromEntries(merged)
}
