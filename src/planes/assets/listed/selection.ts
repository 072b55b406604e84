import { z } from 'zod'

import type { Catalog } from '../../../domain/catalog/catalog.ts'
import type { AssetPath } from '../../../domain/content/asset-path.ts'
import { maxEditedFiles } from '../../../domain/content/files/file-edit.ts'
import { invalid, ServiceError } from '../../../domain/errors.ts'
import type { Caller } from '../../../http/operation.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type NamedPath, parseNamedPaths } from '../../named-paths.ts'
import { narrowingQuery, narrowingOf } from './asset-query.ts'

/** So many paths one request may name. What more there is a filter says. */
const maxPaths = 5000
const maxFilterLength = 4000
/** For the body: so many paths of usual length, and more. */
export const maxSelectionBytes = 4 * 2 ** 20

/** Which assets are meant: by their paths, or by what a list is asked for. */
export const selectionFields = {
  Paths: z
    .array(z.string())
    .min(1)
    .max(maxPaths)
    .optional()
    .describe('Files, and directories with a slash at the end; or `Filter`'),
  Filter: z
    .string()
    .min(1)
    .max(maxFilterLength)
    .optional()
    .describe(
      'All that `GET /api/assets` lists with this query, e.g. `folder=acme/v1/campaigns&format=jpg`',
    ),
  Except: z
    .array(z.string())
    .max(maxPaths)
    .optional()
    .describe('Files that `Filter` fits and that are not meant'),
}

interface Selection {
  readonly Paths?: readonly string[] | undefined
  readonly Filter?: string | undefined
  readonly Except?: readonly string[] | undefined
}

interface Dependencies {
  readonly caller: Caller
  readonly catalog: Pick<Catalog, 'list' | 'zone'>
  readonly now: () => Date
}

/** Refuses more than can be changed at once, and a filter that fits nothing. */
export async function selectedPaths(
  { Paths, Filter, Except = [] }: Selection,
  dependencies: Dependencies,
): Promise<readonly NamedPath[]> {
  if ((Paths === undefined) === (Filter === undefined))
    throw invalid('Paths', 'or Filter must be there, and not both')
  if (Paths !== undefined) return await parseNamedPaths(Paths)
  const excepted = new Set(Except)
  return assetsOf(Filter ?? '', dependencies)
    .filter(({ path }) => !excepted.has(path))
    .map(({ path }) => ({ path: path as AssetPath, isDirectory: false, field: 'Filter' }))
}

function assetsOf(filter: string, { caller, catalog, now }: Dependencies): readonly AssetRecord[] {
  const { items, totalItems } = catalog.list({
    ...narrowingOf(parseFilter(filter), { caller, catalog, now }),
    sort: 'path',
    order: 'asc',
    page: 1,
    perPage: maxEditedFiles,
  })
  if (totalItems > maxEditedFiles)
    throw new ServiceError(
      'LimitExceeded',
      `Filter fits ${totalItems} files, and ${maxEditedFiles} can be named at once`,
      { target: 'Filter', context: { Limit: maxEditedFiles } },
    )
  if (totalItems === 0)
    throw new ServiceError('AssetNotFound', 'No asset fits Filter', { target: 'Filter' })
  return items
}

/** A word that is not understood would mean more than whoever wrote it wants. */
const strict = z.strictObject(narrowingQuery)

function parseFilter(text: string): z.infer<typeof strict> {
  const given = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(given)
  if (given.length === 0 || given.length !== Object.keys(fields).length)
    throw invalid('Filter', 'must be a query that says each parameter once')
  const { data, error } = strict.safeParse(fields)
  if (error !== undefined)
    throw invalid('Filter', `must be a query of lists: ${error.issues[0]?.message}`)
  if (Object.values(data).every((value) => value === undefined || value === ''))
    throw invalid('Filter', 'must say something')
  return data
}
