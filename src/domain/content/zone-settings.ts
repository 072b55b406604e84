import { clientsDirectory } from './asset-path.ts'
import type { ZoneName } from './zone-name.ts'

/** What `clients/<zone>/zone.json` says. A zone without the file has {@link defaultZoneSettings}. */
export interface ZoneSettings {
  readonly enabled: boolean
  readonly suspended: boolean
}

export const defaultZoneSettings: ZoneSettings = { enabled: true, suspended: false }

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
  }
}

export const serializeZoneSettings = ({ enabled, suspended }: ZoneSettings): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ enabled, suspended }, undefined, 2)}\n`)

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
