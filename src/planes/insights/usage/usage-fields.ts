import { z } from 'zod'

import { dateText } from '../../../domain/insights/period.ts'
import type { DayUsage, UsageTotals, ZoneUsage } from '../../../domain/insights/usage.ts'

const counts = {
  Requests: z.int().describe('As insights count them'),
  Bytes: z.int().describe('Of delivered bodies, as insights count them'),
  CacheHit: z.int(),
  Transforms: z.int().describe('Images made of assets, from a cache or not'),
  TransformsMade: z.int().describe('Of these, those that no cache had'),
  Uploads: z
    .int()
    .describe(
      'Files whose bytes were published: stored, pushed, copied, put back; not those only moved',
    ),
  UploadedBytes: z.int(),
  AiCalls: z.int().describe('To the models that the operator has set: the three below'),
  VisionCalls: z.int(),
  ChatCalls: z.int().describe('Of no zone'),
  EmbeddingCalls: z.int().describe('Of no zone'),
  StoredBytes: z.int().describe('At the end of the day, or of the period; of today, now'),
  Files: z.int().describe('Likewise'),
}

export const usageDay = z.object({ Date: z.iso.date(), ...counts })

export const usageTotals = z.object({
  ...counts,
  StoredByteDays: z.int().describe('What was stored at the end of each day, added up'),
})

export const zoneUsage = z.object({
  Zone: z
    .string()
    .describe('Empty for what belongs to none. `acme~17` is a former zone of that name'),
  Former: z.boolean().describe('Whether another zone has the name by now'),
  Totals: usageTotals,
  Daily: z.array(usageDay).describe('Every day of the period (UTC), oldest first'),
})

const countsOf = (usage: Omit<DayUsage, 'day'>) => ({
  Requests: usage.requests,
  Bytes: usage.bytes,
  CacheHit: usage.hits,
  Transforms: usage.transforms,
  TransformsMade: usage.transformsMade,
  Uploads: usage.uploads,
  UploadedBytes: usage.uploadedBytes,
  AiCalls: usage.visionCalls + usage.chatCalls + usage.embeddingCalls,
  VisionCalls: usage.visionCalls,
  ChatCalls: usage.chatCalls,
  EmbeddingCalls: usage.embeddingCalls,
  StoredBytes: usage.storedBytes,
  Files: usage.files,
})

export const dayFields = (usage: DayUsage): z.infer<typeof usageDay> => ({
  Date: dateText(usage.day),
  ...countsOf(usage),
})

export const totalFields = (usage: UsageTotals): z.infer<typeof usageTotals> => ({
  ...countsOf(usage),
  StoredByteDays: usage.storedByteDays,
})

export const zoneFields = ({ zone, totals, daily }: ZoneUsage): z.infer<typeof zoneUsage> => ({
  Zone: zone,
  Former: zone.includes('~'),
  Totals: totalFields(totals),
  Daily: daily.map(dayFields),
})

/** The columns of a table, in their order. */
export const columns = Object.keys(counts) as readonly (keyof typeof counts)[]
