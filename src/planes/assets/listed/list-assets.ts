import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import { z } from 'zod'

import type { Catalog } from '../../../domain/catalog/catalog.ts'
import { listSortKeys } from '../../../domain/catalog/listing.ts'
import { sortDirections } from '../../../domain/catalog/order/sort-orders.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import { operation } from '../../../http/operation.ts'
import { narrowingOf, narrowingQuery } from './asset-query.ts'
import { clampedInteger } from '../../../http/request/query.ts'
import { counted } from '../../../lib/text/visible-text.ts'

interface Dependencies {
  readonly catalog: Catalog
  readonly now: () => Date
}

const query = z.object({
  page: clampedInteger({ min: 1, max: 1_000_000, default: 1, description: 'From 1' }),
  per_page: clampedInteger({ min: 1, max: 200, default: 50 }),
  ...narrowingQuery,
  sort: z
    .enum(listSortKeys)
    .default('name')
    .describe(
      '`date` is of the last change; `title` takes the name of what has none; `dimensions` is by the pixels of images',
    ),
  order: z.enum(sortDirections).default('asc'),
})

const assetEntry = z.object({
  name: z.string(),
  path: z.string().describe('`<zone>/v1/<category>/<file>`'),
  project: z.string(),
  category: z.string(),
  format: z.string(),
  size: z.int().describe('Bytes'),
  Name: z.string(),
  Path: z.string(),
  Project: z.string(),
  Category: z.string(),
  Format: z.string(),
  Size: z.int(),
  ContentType: z.string(),
  Title: z.string().nullable(),
  Tags: z.array(z.string()).describe('What persons and the file call it'),
  Width: z.int().nullable().describe('Pixels of an image, once it has been looked at'),
  Height: z.int().nullable(),
  Created: z.iso.datetime(),
  LastChanged: z.iso.datetime(),
  Expires: z.iso.datetime().nullable(),
})

const assetList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Pagination: z.object({
    Page: z.int(),
    PerPage: z.int(),
    TotalItems: z.int(),
    TotalPages: z.int(),
  }),
  Page: z.int(),
  TotalPages: z.int(),
  Filters: z.object({
    Project: z.string().nullable(),
    Category: z.string().nullable(),
    Format: z.string().nullable(),
    Folder: z.string().nullable(),
    Query: z.string().nullable(),
    Tag: z.string().nullable(),
    Field: z.string().nullable(),
    Color: z.string().nullable(),
    Missing: z.string().nullable(),
  }),
  DateFetched: z.iso.datetime(),
  Data: z.array(assetEntry),
})

/** `GET /api/assets`. */
export const listAssets = operation({
  id: 'listAssets',
  plane: 'assets',
  method: 'get',
  path: '/api/assets',
  summary: 'List, filter and search assets by name',
  description:
    'All that is asked for must be so. Colours are known once an image has been looked at.',
  example: { query: { project: 'acme', q: 'logo' } },
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query,
  answeredBy: 'any node',
  responses: {
    200: { description: 'One page of assets', schema: assetList },
    304: { description: 'The catalogue has not changed' },
  },
}).handledBy(
  ({ catalog, now }: Dependencies) =>
    async ({ query: asked, request, caller, respond }) => {
      const { page, per_page: perPage, sort, order } = asked
      const narrowing = narrowingOf(asked, { caller, catalog, now })
      const listed = { ...narrowing, sort, order, page, perPage }
      await catalog.ready(listed)
      const { items, totalItems, totalPages } = catalog.list(listed)
      // Of what is over there is only more while nothing is changed.
      const over = narrowing.attributes?.expired === undefined ? '' : `-${totalItems}`
      const headers = {
        ETag: catalogTag(catalog, caller.zones, over),
        'Cache-Control': cacheLifetimes.listing,
      }
      const validators = { etag: headers.ETag, lastModified: undefined }
      if (evaluatePreconditions(request, validators) === 'not-modified')
        return new Response(null, { status: 304, headers })
      const list = {
        HttpCode: 200,
        Message: counted(totalItems, 'asset'),
        Pagination: {
          Page: page,
          PerPage: perPage,
          TotalItems: totalItems,
          TotalPages: totalPages,
        },
        Page: page,
        TotalPages: totalPages,
        Filters: filtersOf(asked),
        DateFetched: now().toISOString(),
        Data: items.map((asset) => entryOf(asset, catalog)),
      } as const
      return respond(200, list, headers)
    },
)

/** What was asked for, in the spelling of responses. */
const filtersOf = (asked: z.infer<typeof query>): z.infer<typeof assetList>['Filters'] => ({
  Project: asked.project ?? null,
  Category: asked.category ?? null,
  Format: asked.format ?? null,
  Folder: asked.folder ?? null,
  Query: asked.q ?? null,
  Tag: asked.tag ?? null,
  Field: asked.field ?? null,
  Color: asked.color ?? null,
  Missing: asked.missing ?? null,
})

/** Differs after every change of the catalogue. */
export const catalogTag = (
  { version }: Pick<Catalog, 'version'>,
  zones: ReadonlySet<string> | undefined,
  more = '',
): string => `W/"catalog-${version}-${scopeOf(zones)}${more}"`

/** Tells apart what different callers see of one catalogue; the zones themselves stay out of it. */
const scopeOf = (zones: ReadonlySet<string> | undefined): string =>
  zones === undefined ? 'all' : Bun.hash([...zones].toSorted().join(',')).toString(36)

function pixelsOf({ sha256 }: AssetRecord, { sizeOf }: Pick<Catalog, 'sizeOf'>) {
  const size = sizeOf(sha256)
  return { Width: size?.width ?? null, Height: size?.height ?? null }
}

/** The schema's lower-case names, and the capitalised ones that clients in the field read. */
const entryOf = (
  asset: AssetRecord,
  catalog: Pick<Catalog, 'sizeOf'>,
): z.infer<typeof assetEntry> => ({
  name: asset.name,
  path: asset.path,
  project: asset.zone,
  category: asset.category,
  format: asset.format,
  size: asset.sizeBytes,
  Name: asset.name,
  Path: asset.path,
  Project: asset.zone,
  Category: asset.category,
  Format: asset.format,
  Size: asset.sizeBytes,
  ContentType: asset.contentType,
  Title: asset.metadata?.title ?? null,
  Tags: [...(asset.metadata?.tags ?? [])],
  ...pixelsOf(asset, catalog),
  Created: asset.createdAt.toISOString(),
  LastChanged: asset.changedAt.toISOString(),
  Expires: asset.metadata?.expiresAt?.toISOString() ?? null,
})
