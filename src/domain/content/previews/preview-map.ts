import type { PreviewKey, PreviewRecord } from '../../../ports/records/preview.ts'

/** Previews, by zone and name. */
export interface PreviewMap {
  get(key: PreviewKey): PreviewRecord | undefined
  /** By name, in byte order. */
  ofZone(zone: string): readonly PreviewRecord[]
  all(): readonly PreviewRecord[]
  set(preview: PreviewRecord): void
  delete(key: PreviewKey): void
  deleteZone(zone: string): void
}

export function createPreviewMap(previews: readonly PreviewRecord[] = []): PreviewMap {
  const byZone = new Map<string, Map<string, PreviewRecord>>()

  function set(preview: PreviewRecord): void {
    const ofZone = byZone.get(preview.zone) ?? new Map<string, PreviewRecord>()
    byZone.set(preview.zone, ofZone.set(preview.name, preview))
  }

  for (const preview of previews) set(preview)
  return {
    get: ({ zone, name }) => byZone.get(zone)?.get(name),
    ofZone: (zone) =>
      [...(byZone.get(zone)?.values() ?? [])].toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      ),
    all: () => [...byZone.values()].flatMap((ofZone) => [...ofZone.values()]),
    set,
    delete({ zone, name }) {
      const ofZone = byZone.get(zone)
      ofZone?.delete(name)
      if (ofZone?.size === 0) byZone.delete(zone)
    },
    deleteZone: (zone) => void byZone.delete(zone),
  }
}
