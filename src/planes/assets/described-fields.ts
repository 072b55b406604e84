import { z } from 'zod'

import { metadataTag } from '../../domain/content/metadata/descriptions.ts'
import type { DescribingEdit } from '../../domain/content/metadata/edit-metadata.ts'
import type {
  AssetMetadata,
  EmbeddedMember,
  EmbeddedSource,
} from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** From the top left corner, as parts of width and height. */
const fraction = z.number().min(0).max(1)
export const focalPoint = z.object({ x: fraction, y: fraction })
/** Members of other names have capitals, so these are taken with them too. */
const writtenFocalPoint = z.union([
  focalPoint,
  z.object({ X: fraction, Y: fraction }).transform(({ X: x, Y: y }) => ({ x, y })),
])

const custom = z.record(z.string(), z.unknown())

const known = z.object({
  Title: z.string().nullable(),
  Alt: z.record(z.string(), z.string()).describe('By language (BCP 47)'),
  Description: z.string().nullable(),
  Tags: z.array(z.string()).describe('In lower case'),
  Copyright: z.string().nullable(),
  Licence: z.string().nullable(),
  Expires: z.iso.datetime().nullable(),
  Custom: custom.describe("The zone's own fields"),
  FocalPoint: focalPoint.nullable(),
})

/** What is known of an asset besides its file. */
export const knownFields = {
  Metadata: known.describe('What is said of it'),
  MetadataSources: z
    .record(z.string(), z.enum(['person', 'iptc', 'xmp', 'svg']))
    .describe('Who says it, for each member that is said: a person, or the file itself'),
  MetadataETag: z.string().describe('Changes with what persons say; for `If-Match`'),
  MetadataFault: z
    .string()
    .nullable()
    .describe('Why the file beside it, which git brought, was left out'),
}

export function knownOf({ metadata = {} }: Pick<AssetRecord, 'metadata'>) {
  return {
    Metadata: saidOf(metadata),
    MetadataSources: sourcesOf(metadata),
    MetadataETag: metadataTag(metadata),
    MetadataFault: metadata.fault ?? null,
    FocalPoint: metadata.focalPoint ?? null,
  }
}

const saidOf = (metadata: AssetMetadata) => ({
  Title: metadata.title ?? null,
  Alt: { ...metadata.alt },
  Description: metadata.description ?? null,
  Tags: [...(metadata.tags ?? [])],
  Copyright: metadata.copyright ?? null,
  Licence: metadata.licence ?? null,
  Expires: metadata.expiresAt?.toISOString() ?? null,
  Custom: { ...metadata.custom },
  FocalPoint: metadata.focalPoint ?? null,
})

/** What the interface calls the members. */
export const memberNames = {
  title: 'Title',
  alt: 'Alt',
  description: 'Description',
  tags: 'Tags',
  copyright: 'Copyright',
  licence: 'Licence',
  expiresAt: 'Expires',
  custom: 'Custom',
  focalPoint: 'FocalPoint',
} as const

function sourcesOf(metadata: AssetMetadata): Record<string, 'person' | EmbeddedSource> {
  const said = Object.entries(memberNames).filter(
    ([member]) => metadata[member as keyof AssetMetadata] !== undefined,
  )
  return Object.fromEntries(
    said.map(([member, name]) => [name, metadata.sources?.[member as EmbeddedMember] ?? 'person']),
  )
}

const text = z.string().nullable().optional()

/** A JSON Merge Patch (RFC 7396) of what is known. */
export const metadataPatch = z.strictObject({
  Title: text,
  Alt: z.record(z.string(), z.string().nullable()).nullable().optional(),
  Description: text,
  Tags: z.array(z.string()).nullable().optional(),
  Copyright: text,
  Licence: text,
  Expires: z.iso.datetime({ offset: true }).nullable().optional(),
  Custom: custom.nullable().optional(),
  FocalPoint: writtenFocalPoint.nullable().optional(),
})

export function describingEdit(body: z.infer<typeof metadataPatch>): DescribingEdit {
  const members = Object.entries(memberNames).map(([member, name]) => [member, body[name]])
  const patch = Object.fromEntries(members.filter(([, value]) => value !== undefined))
  return { kind: 'set', patch, names: memberNames }
}

/** The other way round: the members that a patch has, as a request would say them. */
export function patchJson(patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(memberNames).map(
    ([member, name]) => [name, patch[member]] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
