/** A value as JSON knows it. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Where a value comes from that no person gave: what the file itself says. */
export type EmbeddedSource = 'iptc' | 'xmp' | 'svg'

/** What is known of an asset. A member that nobody has said is left out, never empty. */
export interface AssetMetadata {
  readonly title?: string
  /** By language (BCP 47). */
  readonly alt?: Readonly<Record<string, string>>
  readonly description?: string
  /** In lower case, each once, in byte order. */
  readonly tags?: readonly string[]
  readonly copyright?: string
  readonly licence?: string
  /** From then on the asset is gone. */
  readonly expiresAt?: Date
  /** The zone's own fields. */
  readonly custom?: Readonly<Record<string, JsonValue>>
  /** Where the subject of an image is, from 0 (left, top) to 1 (right, bottom). */
  readonly focalPoint?: { readonly x: number; readonly y: number }
  /** Of the members that no person said; all others are a person's. */
  readonly sources?: Readonly<Partial<Record<EmbeddedMember, EmbeddedSource>>>
  /** Why the file that tells of it was left out: then nothing a person said is known. */
  readonly fault?: string
}

/** What files say of themselves. */
export type EmbeddedMember = 'title' | 'alt' | 'description' | 'tags' | 'copyright' | 'licence'

/** What {@link AssetMetadata} is in JSON: on the way to edges and in tables. */
export interface MetadataRow extends Omit<AssetMetadata, 'expiresAt'> {
  readonly expiresAtMs?: number
}

/** The same for the same metadata, whoever writes it: `JSON.stringify` of it may be hashed. */
export function metadataRow(metadata: AssetMetadata): MetadataRow {
  const { title, alt, description, tags, copyright, licence, expiresAt } = metadata
  const { custom, focalPoint, sources, fault } = metadata
  return withoutUndefined({
    title,
    alt: alt && sorted(alt),
    description,
    tags,
    copyright,
    licence,
    expiresAtMs: expiresAt?.getTime(),
    custom: custom && sorted(custom),
    focalPoint: focalPoint && { x: focalPoint.x, y: focalPoint.y },
    sources: sources && sorted(sources),
    fault,
  })
}

export function metadataOfRow({ expiresAtMs, ...rest }: MetadataRow): AssetMetadata {
  return expiresAtMs === undefined ? rest : { ...rest, expiresAt: new Date(expiresAtMs) }
}

/** Whether two say the same. */
export const isSameMetadata = (
  one: AssetMetadata | undefined,
  other: AssetMetadata | undefined,
): boolean => one === other || textOf(one) === textOf(other)

const textOf = (metadata: AssetMetadata | undefined): string | undefined =>
  metadata && JSON.stringify(metadataRow(metadata))

function withoutUndefined<T extends object>(
  members: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }
}

/** With its members in order, nested ones too. */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  ) as T
}
