import { clientsDirectory } from './asset-path.ts'
import {
  type HistorySetting,
  historySettings,
  type TransformMode,
  transformModes,
  type ZoneRecord,
} from '../../ports/records/zone.ts'
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
}

/** A hundred years. */
export const maxHistoryDays = 36_500

export const defaultZoneSettings: ZoneSettings = {
  enabled: true,
  suspended: false,
  history: 'off',
  transforms: 'open',
  historyDays: null,
  historySince: null,
}

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
  }
}

export function serializeZoneSettings(settings: ZoneSettings): Uint8Array {
  const { enabled, suspended, history, transforms, historyDays, historySince } = settings
  const members = {
    enabled,
    suspended,
    ...(history !== 'off' && { history }),
    ...(transforms !== 'open' && { transforms }),
    ...(historyDays !== null && { historyDays }),
    ...(historySince !== null && { historySince: historySince.toISOString() }),
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
}: ZoneSettings): RecordedSettings => ({
  enabled,
  suspended,
  ...(history !== 'off' && { history }),
  ...(transforms !== 'open' && { transformMode: transforms }),
  ...(historyDays !== null && { historyDays }),
  ...(historySince !== null && { historySince }),
})

type RecordedSettings = Pick<
  ZoneRecord,
  'enabled' | 'suspended' | 'history' | 'transformMode' | 'historyDays' | 'historySince'
>

function daysIn(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxHistoryDays
    ? Number(value)
    : null
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
