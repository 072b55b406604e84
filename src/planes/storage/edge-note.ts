import { zoneOf, type AssetPath } from '../../domain/content/asset-path.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

const disabledNote =
  'Committed; the zone is disabled, so edges serve nothing of it until it is enabled again.'

/** What becomes of a write at the edges: nothing, where one of its zones is switched off. */
export const edgeNoteOf = (
  paths: readonly AssetPath[],
  note: string,
  published: Pick<Manifest, 'zone'>,
): string =>
  paths.some((path) => published.zone(zoneOf(path))?.enabled === false) ? disabledNote : note
