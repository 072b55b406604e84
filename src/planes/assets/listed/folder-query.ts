import { z } from 'zod'

import { requireZone } from '../../../domain/access/actor.ts'
import type { Catalog } from '../../../domain/catalog/catalog.ts'
import type { AssetFilter } from '../../../domain/catalog/matcher.ts'
import { parseDirectoryPath } from '../../../domain/content/asset-path.ts'
import { invalid, zoneNotFound } from '../../../domain/errors.ts'
import type { Caller } from '../../../http/operation.ts'
import { booleanFlag } from '../../../http/request/query.ts'

/** How a list is narrowed to a folder. */
export const folderQuery = {
  folder: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Only what is below this folder, e.g. `acme/v1/campaigns`; `acme` is all of the zone',
    ),
  direct: booleanFlag('Only what is in the folder itself, not in folders of it').optional(),
}

interface FolderQuery {
  readonly folder?: string | undefined
  readonly direct?: boolean | undefined
}

/** A folder by its path; `''` is that of all zones. Refuses zones that the caller does not reach. */
export function parseFolder(
  text: string,
  { caller, catalog, target }: Reached & { readonly target: string },
): string {
  const path = parseDirectoryPath(text, target)
  const [zone = '', version = 'v1', ...below] = path.split('/')
  if (zone === '') return ''
  if (version !== 'v1') throw invalid(target, 'must be a zone, or a path below <zone>/v1')
  requireZone(caller, zone)
  if (catalog.zone(zone) === undefined) throw zoneNotFound(zone)
  return [zone, version, ...below].join('/')
}

interface Reached {
  readonly caller: Caller
  readonly catalog: Pick<Catalog, 'zone'>
}

export function placeOf(
  { folder, direct }: FolderQuery,
  caller: Caller,
  catalog: Pick<Catalog, 'zone'>,
): Pick<AssetFilter, 'directory' | 'isDirectly'> {
  const directory =
    folder === undefined ? undefined : parseFolder(folder, { caller, catalog, target: 'folder' })
  // Zones are all that is in the folder of all zones.
  if (directory === undefined || (directory === '' && direct !== true)) return {}
  return { directory, isDirectly: direct }
}
