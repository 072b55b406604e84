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
  /** What clients of S3 said of the file as an object. */
  readonly object?: ObjectMetadata
  /** Of the members that no person said; all others are a person's. */
  readonly sources?: Readonly<Partial<Record<EmbeddedMember, EmbeddedSource>>>
  /** Why the file that tells of it was left out: then nothing a person said is known. */
  readonly fault?: string
}

/**
 * What clients of S3 say of an object, and what is no function of its bytes. It holds for the bytes it
 * names alone: whoever stores others, by whatever way, has said nothing of them.
 */
export interface ObjectMetadata {
  readonly sha256: string
  /** `x-amz-meta-…`, by the name without that, in lower case. */
  readonly user?: Readonly<Record<string, string>>
  /** Key and value; nothing to do with {@link AssetMetadata.tags}. */
  readonly tags?: Readonly<Record<string, string>>
  /** Fields of its responses. */
  readonly headers?: Readonly<Partial<Record<ObjectHeader, string>>>
  /** Of an object that came in parts, without quotes; else it is the MD5 of the bytes. */
  readonly etag?: string
  /** The parts it came in, in their order: so many of so many bytes each. */
  readonly parts?: readonly PartSizes[]
  /** Of an object that came in parts; else it is kept by the SHA-256 of the bytes. */
  readonly checksum?: ObjectChecksum
}

export interface PartSizes {
  readonly sizeBytes: number
  readonly count: number
}

export interface ObjectChecksum {
  readonly algorithm: ChecksumAlgorithm
  /** Of all bytes, or of the checksums of the parts. */
  readonly type: 'FULL_OBJECT' | 'COMPOSITE'
  /** Base64, with `-` and the number of parts where it is one of checksums. */
  readonly value: string
}

export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number]

/** In lower case, as the fields of a response are. */
export const objectHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
] as const
export type ObjectHeader = (typeof objectHeaders)[number]

/** What files say of themselves. */
export type EmbeddedMember = 'title' | 'alt' | 'description' | 'tags' | 'copyright' | 'licence'

/** What {@link AssetMetadata} is in JSON: on the way to edges and in tables. */
export interface MetadataRow extends Omit<AssetMetadata, 'expiresAt'> {
  readonly expiresAtMs?: number
}

/** The same for the same metadata, whoever writes it: `JSON.stringify` of it may be hashed. */
export function metadataRow(metadata: AssetMetadata): MetadataRow {
  const { title, alt, description, tags, copyright, licence, expiresAt } = metadata
  const { custom, focalPoint, object, sources, fault } = metadata
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
    object: object && sorted(object),
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
