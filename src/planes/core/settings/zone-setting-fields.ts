import { z } from 'zod'

import { languageOf } from '../../../domain/content/metadata/members.ts'
import {
  maxCacheSeconds,
  maxHistoryDays,
  maxZoneLanguages,
  type ZoneSettings,
} from '../../../domain/content/zone-settings.ts'
import { invalid } from '../../../domain/errors.ts'
import {
  historySettings,
  metadataPolicies,
  moderationSettings,
  transformModes,
  visionSettings,
} from '../../../ports/records/zone.ts'

/** The settings of a zone, as bodies set them. */
export const zoneSettings = z.object({
  Enabled: z.boolean().optional(),
  Suspended: z.boolean().optional(),
  History: z
    .union([
      z.enum(historySettings),
      z
        .string()
        .max(6)
        .regex(/^\d{1,5}d$/u),
    ])
    .optional()
    .describe('`90d` is short for HistoryDays 90, and leaves who may ask as it is'),
  HistoryDays: z
    .int()
    .min(1)
    .max(maxHistoryDays)
    .nullable()
    .optional()
    .describe('What was replaced or deleted so many days ago may be let go; null keeps all'),
  Transforms: z
    .enum([...transformModes, 'named'])
    .optional()
    .describe('What everybody may have made of its images; `named` is short for `named-only`'),
  CacheLifetime: z
    .int()
    .min(0)
    .max(maxCacheSeconds)
    .nullable()
    .optional()
    .describe(
      'Seconds for which clients use its files and images without asking; null as by default',
    ),
  Metadata: z
    .enum(metadataPolicies)
    .nullable()
    .optional()
    .describe('What `metadata` is for transforms that do not say it; null as by default'),
  Vision: z
    .enum(visionSettings)
    .optional()
    .describe(
      'Whether a model looks at its images, where the operator has set one: what it sees is suggested, or with `apply` said where nobody says anything',
    ),
  Moderation: z
    .enum(moderationSettings)
    .optional()
    .describe(
      'What comes of images that the model takes for unfit: with `flag` they are listed, with `hold` they do not become live besides',
    ),
  Languages: z
    .array(z.string())
    .min(1)
    .max(maxZoneLanguages)
    .nullable()
    .optional()
    .describe('That its images are described in (BCP 47), the most important first; null is `en`'),
})

/** What of a zone's settings a body sets. */
export function settingsIn({
  Enabled: enabled,
  Suspended: suspended,
  History: text,
  HistoryDays: days,
  Transforms: transforms,
  CacheLifetime: cacheSeconds,
  Metadata: metadataPolicy,
  Vision: vision,
  Moderation: moderation,
  Languages: tags,
}: z.infer<typeof zoneSettings>): Partial<ZoneSettings> {
  const history = historySettings.find((each) => each === text)
  const short = text === undefined || history !== undefined ? undefined : daysIn(text)
  if (short !== undefined && days !== undefined && days !== short)
    throw invalid('HistoryDays', 'must be the same as the days of History')
  const historyDays = days === undefined ? short : days
  const mode = transforms === 'named' ? 'named-only' : transforms
  const settings = { enabled, suspended, history, historyDays, transforms: mode }
  const languages = tags && [...new Set(tags.map((tag) => languageOf(tag, 'Languages')))]
  return whatIsSaid({
    ...settings,
    cacheSeconds,
    metadataPolicy,
    vision,
    moderation,
    languages,
  })
}

const whatIsSaid = (settings: {
  readonly [Name in keyof ZoneSettings]?: ZoneSettings[Name] | undefined
}): Partial<ZoneSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

function daysIn(text: string): number {
  const days = Number.parseInt(text, 10)
  if (days < 1 || days > maxHistoryDays)
    throw invalid(
      'History',
      `must be ${historySettings.join(', ')}, or days from 1d to ${maxHistoryDays}d`,
    )
  return days
}
