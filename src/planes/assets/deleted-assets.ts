import { z } from 'zod'

import {
  type AssetPath,
  categoryOf,
  fileNameOf,
  formatOf,
} from '../../domain/content/asset-path.ts'
import type { DeletedFiles } from '../../domain/content/files/deleted-files.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { DeletedAsset } from '../../ports/records/past-asset.ts'
import { actorOf } from '../caller.ts'

interface Dependencies {
  readonly deleted: Pick<DeletedFiles, 'list'>
  readonly now: () => Date
}

const deletedAsset = z.object({
  Path: z.string(),
  Name: z.string(),
  Project: z.string(),
  Category: z.string(),
  Format: z.string(),
  Size: z.int().describe('Bytes'),
  ContentType: z.string(),
  Checksum: z.string().describe('SHA-256 in hex'),
  DateDeleted: z.iso.datetime(),
  DeletedBy: z.string().describe('The id of a credential, or who committed by other means'),
  Commit: z.string().describe('The commit that deleted it'),
})

const deletedList = z.object({
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
  Filters: z.object({ Zone: z.string().nullable() }),
  DateFetched: z.iso.datetime(),
  Data: z.array(deletedAsset),
})

/** `GET /api/assets/deleted`. */
export const listDeletedAssets = operation({
  id: 'listDeletedAssets',
  answeredBy: 'any node',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/deleted',
  summary: 'What was deleted in the last 30 days',
  description:
    'The newest deletion first. A file that was moved, or whose path has a file again, is not among them. `POST /api/assets/restore` brings them back.',
  example: { query: { zone: 'acme' } },
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: z.object({
    page: clampedInteger({ min: 1, max: 1_000_000, default: 1, description: 'From 1' }),
    per_page: clampedInteger({ min: 1, max: 200, default: 50 }),
    zone: z.string().optional().describe('Exactly this zone'),
    project: z.string().optional().describe('The same as `zone`'),
  }),
  responses: { 200: { description: 'One page of them', schema: deletedList } },
}).handledBy(({ deleted, now }: Dependencies) => async ({ query, caller, respond }) => {
  const zone = query.zone ?? query.project
  const { items, page, perPage, totalItems, totalPages } = await deleted.list(
    { zone, page: query.page, perPage: query.per_page },
    actorOf(caller),
  )
  return respond(200, {
    HttpCode: 200,
    Message: counted(totalItems, 'deleted asset'),
    Pagination: { Page: page, PerPage: perPage, TotalItems: totalItems, TotalPages: totalPages },
    Page: page,
    TotalPages: totalPages,
    Filters: { Zone: zone ?? null },
    DateFetched: now().toISOString(),
    Data: items.map(spell),
  })
})

function spell(asset: DeletedAsset): z.infer<typeof deletedAsset> {
  const name = fileNameOf(asset.path)
  return {
    Path: asset.path,
    Name: name,
    Project: asset.zone,
    Category: categoryOf(asset.path as AssetPath),
    Format: formatOf(name),
    Size: asset.sizeBytes,
    ContentType: asset.contentType,
    Checksum: asset.sha256,
    DateDeleted: asset.deletedAt.toISOString(),
    DeletedBy: asset.deletedBy,
    Commit: asset.commitId,
  }
}
