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
}

export const defaultZoneSettings: ZoneSettings = {
  enabled: true,
  suspended: false,
  history: 'off',
  transforms: 'open',
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
  }
}

export function serializeZoneSettings({
  enabled,
  suspended,
  history,
  transforms,
}: ZoneSettings): Uint8Array {
  const members = {
    enabled,
    suspended,
    ...(history !== 'off' && { history }),
    ...(transforms !== 'open' && { transforms }),
  }
  return new TextEncoder().encode(`${JSON.stringify(members, undefined, 2)}\n`)
}

/** What a zone's record has of its settings. */
export const recordedSettings = ({
  enabled,
  suspended,
  history,
  transforms,
}: ZoneSettings): Pick<ZoneRecord, 'enabled' | 'suspended' | 'history' | 'transformMode'> => ({
  enabled,
  suspended,
  ...(history !== 'off' && { history }),
  ...(transforms !== 'open' && { transformMode: transforms }),
})

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
