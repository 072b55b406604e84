import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { languagesOf } from '../../domain/content/zone-settings.ts'
import type { Domains } from '../../domain/content/domains/domains.ts'
import {
  historySettings,
  metadataPolicies,
  moderationSettings,
  transformModes,
  visionSettings,
  type ZoneRecord,
} from '../../ports/records/zone.ts'

export const zone = z.object({
  Id: z.string().describe('The zone name'),
  Name: z.string(),
  StorageZoneName: z.string(),
  OriginUrl: z.url(),
  FileCount: z.int(),
  StorageUsed: z.int().describe('Bytes'),
  StorageUsedHuman: z.string(),
  Categories: z.array(z.string()),
  DateCreated: z.iso.datetime(),
  Enabled: z.boolean(),
  Suspended: z.boolean(),
  History: z
    .enum(historySettings)
    .describe('Who may ask for its files as a former commit has them'),
  Transforms: z
    .enum(transformModes)
    .describe('What everybody may have made of its images, where the service is not stricter'),
  HistoryDays: z
    .int()
    .nullable()
    .describe('For so many days at least it keeps what was replaced or deleted; null is for ever'),
  HistorySince: z.iso
    .datetime()
    .nullable()
    .describe('Versions that had ended before this have been let go; null where none has'),
  CacheLifetime: z
    .int()
    .nullable()
    .describe(
      'Seconds for which clients use its files and images without asking; null as by default',
    ),
  Metadata: z
    .enum(metadataPolicies)
    .nullable()
    .describe('What `metadata` is for transforms that do not say it; null as by default'),
  Vision: z
    .enum(visionSettings)
    .describe('Whether a model looks at its images, and what comes of that'),
  Moderation: z.enum(moderationSettings).describe('What comes of images that are unfit'),
  Languages: z.array(z.string()).describe('That its images are described in (BCP 47)'),
  name: z.string(),
  domains: z.array(z.string()),
  createdAt: z.iso.datetime(),
})

export const zoneDetail = zone.extend({
  Formats: z.array(z.string()),
  Files: z.array(
    z.object({
      Path: z.string(),
      Name: z.string(),
      Format: z.string(),
      Size: z.int().describe('Bytes'),
      Category: z.string(),
    }),
  ),
})

export const zoneStorage = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  FileCount: z.int(),
  StorageUsed: z.int().describe('Bytes'),
  Kinds: z
    .array(
      z.object({ Category: z.string(), Format: z.string(), FileCount: z.int(), Bytes: z.int() }),
    )
    .describe('The same by category and format, most bytes first'),
})

export const zoneParams = z.object({ id: z.string().describe('The zone name') })

interface Sources {
  readonly catalog: Pick<Catalog, 'zoneFiles' | 'zoneSummary'>
  readonly domains: Pick<Domains, 'listOf'>
  readonly baseUrl: string
}

/** A zone as the wire shows it. */
export function zoneJson(
  record: ZoneRecord,
  { catalog, domains, baseUrl }: Sources,
): z.infer<typeof zone> {
  const summary = catalog.zoneSummary(record.name)
  return {
    Id: record.name,
    Name: record.name,
    StorageZoneName: record.name,
    OriginUrl: `${baseUrl}/${record.name}/v1/`,
    FileCount: summary.fileCount,
    StorageUsed: summary.storageBytes,
    StorageUsedHuman: humanSize(summary.storageBytes),
    Categories: [...summary.categories],
    DateCreated: record.createdAt.toISOString(),
    Enabled: record.enabled,
    Suspended: record.suspended,
    History: record.history ?? 'off',
    Transforms: record.transformMode ?? 'open',
    HistoryDays: record.historyDays ?? null,
    HistorySince: record.historySince?.toISOString() ?? null,
    CacheLifetime: record.cacheSeconds ?? null,
    Metadata: record.metadataPolicy ?? null,
    Vision: record.vision ?? 'suggest',
    Moderation: record.moderation ?? 'off',
    Languages: [...languagesOf(record)],
    name: record.name,
    domains: domains.listOf(record.name).map(({ hostname }) => hostname),
    createdAt: record.createdAt.toISOString(),
  }
}

export const zoneDetailJson = (
  record: ZoneRecord,
  sources: Sources,
): z.infer<typeof zoneDetail> => ({
  ...zoneJson(record, sources),
  Formats: [...sources.catalog.zoneSummary(record.name).formats],
  Files: sources.catalog.zoneFiles(record.name).map((file) => ({
    Path: file.path,
    Name: file.name,
    Format: file.format,
    Size: file.sizeBytes,
    Category: file.category,
  })),
})
