import { clientsDirectory } from './asset-path.ts'
import {
  type HistorySetting,
  historySettings,
  metadataPolicies,
  type MetadataPolicy,
  type ModerationSetting,
  moderationSettings,
  type TransformMode,
  transformModes,
  type VisionSetting,
  visionSettings,
  type ZoneRecord,
} from '../../ports/records/zone.ts'
import { languageOf } from './metadata/members.ts'
import type { ZoneName } from './zone-name.ts'

/** What `clients/<zone>/zone.json` says. A zone without the file has {@link defaultZoneSettings}. */
export interface ZoneSettings {
  readonly enabled: boolean
  readonly suspended: boolean
  /** Who may ask for its files as a former commit has them. */
  readonly history: HistorySetting
  /** What everybody may have made of its images. */
  readonly transforms: TransformMode
  /** For so many days at least it keeps what was replaced or deleted; `null` for ever. */
  readonly historyDays: number | null
  /** Versions that had ended before this have been let go: written by the retention alone. */
  readonly historySince: Date | null
  /** For so many seconds its files and images may be used without asking; `null` as by default. */
  readonly cacheSeconds: number | null
  /** What images made of its own keep of what their files say of themselves; `null` as by default. */
  readonly metadataPolicy: MetadataPolicy | null
  readonly vision: VisionSetting
  readonly moderation: ModerationSetting
  /** That its images are described in; `null` as by default. */
  readonly languages: readonly string[] | null
}

/** A year: to a cache, more means no more. */
export const maxCacheSeconds = 31_536_000

/** Each is another text for every image. */
export const maxZoneLanguages = 5

/** A hundred years. */
export const maxHistoryDays = 36_500

export const defaultZoneSettings: ZoneSettings = {
  enabled: true,
  suspended: false,
  history: 'off',
  transforms: 'open',
  historyDays: null,
  historySince: null,
  cacheSeconds: null,
  metadataPolicy: null,
  vision: 'suggest',
  moderation: 'off',
  languages: null,
}

/** The languages that images of a zone are described in, the most important first. */
export const languagesOf = (zone: Pick<ZoneRecord, 'languages'> | undefined): readonly string[] =>
  zone?.languages ?? ['en']

const fileName = 'zone.json'

export const zoneDirectory = (zone: string): string => `${clientsDirectory}/${zone}`

/** Beside `v1/`, where no storage path reaches. */
export const zoneSettingsPath = (zone: ZoneName | string): string =>
  `${zoneDirectory(zone)}/${fileName}`

/** What a settings file says; what it does not say, or says wrongly, is as by default. */
export function parseZoneSettings(bytes: Uint8Array | undefined): ZoneSettings {
  if (bytes === undefined) return defaultZoneSettings
  const value = parseObject(new TextDecoder().decode(bytes))
  return {
    enabled: value['enabled'] !== false,
    suspended: value['suspended'] === true,
    history: historySettings.find((setting) => setting === value['history']) ?? 'off',
    transforms: transformModes.find((mode) => mode === value['transforms']) ?? 'open',
    historyDays: daysIn(value['historyDays']),
    historySince: momentIn(value['historySince']),
    cacheSeconds: secondsIn(value['cacheSeconds']),
    metadataPolicy: metadataPolicies.find((policy) => policy === value['metadataPolicy']) ?? null,
    vision: visionSettings.find((setting) => setting === value['vision']) ?? 'suggest',
    moderation: moderationSettings.find((setting) => setting === value['moderation']) ?? 'off',
    languages: languagesIn(value['languages']),
  }
}

export function serializeZoneSettings(settings: ZoneSettings): Uint8Array {
  const { enabled, suspended, history, transforms, historyDays, historySince } = settings
  const { cacheSeconds, metadataPolicy, languages } = settings
  const members = {
    enabled,
    suspended,
    ...(history !== 'off' && { history }),
    ...(transforms !== 'open' && { transforms }),
    ...(historyDays !== null && { historyDays }),
    ...(historySince !== null && { historySince: historySince.toISOString() }),
    ...(cacheSeconds !== null && { cacheSeconds }),
    ...(metadataPolicy !== null && { metadataPolicy }),
    ...seeingOf(settings),
    ...(languages !== null && { languages }),
  }
  return new TextEncoder().encode(`${JSON.stringify(members, undefined, 2)}\n`)
}

/** What a zone's record has of its settings. */
export const recordedSettings = ({
  enabled,
  suspended,
  history,
  transforms,
  historyDays,
  historySince,
  cacheSeconds,
  metadataPolicy,
  languages,
  ...seeing
}: ZoneSettings): RecordedSettings => ({
  enabled,
  suspended,
  ...(history !== 'off' && { history }),
  ...(transforms !== 'open' && { transformMode: transforms }),
  ...(historyDays !== null && { historyDays }),
  ...(historySince !== null && { historySince }),
  ...(cacheSeconds !== null && { cacheSeconds }),
  ...(metadataPolicy !== null && { metadataPolicy }),
  ...seeingOf(seeing),
  ...(languages !== null && { languages }),
})

const seeingOf = ({ vision, moderation }: Pick<ZoneSettings, 'vision' | 'moderation'>) => ({
  ...(vision !== 'suggest' && { vision }),
  ...(moderation !== 'off' && { moderation }),
})

type RecordedSettings = Pick<
  ZoneRecord,
  | 'enabled'
  | 'suspended'
  | 'history'
  | 'transformMode'
  | 'historyDays'
  | 'historySince'
  | 'cacheSeconds'
  | 'metadataPolicy'
  | 'vision'
  | 'moderation'
  | 'languages'
>

function daysIn(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxHistoryDays
    ? Number(value)
    : null
}

function secondsIn(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxCacheSeconds
    ? Number(value)
    : null
}

/** Nothing where one of them is no language. */
function languagesIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxZoneLanguages) return null
  try {
    return value.map((each) => languageOf(String(each), 'languages'))
  } catch {
    return null
  }
}

function momentIn(value: unknown): Date | null {
  const moment = new Date(typeof value === 'string' && value.length <= 32 ? value : Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
