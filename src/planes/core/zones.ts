import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Domains } from '../../domain/content/domains/domains.ts'
import { standardDirectories } from '../../domain/content/asset-path.ts'
import type { Zones } from '../../domain/content/zones.ts'
import { invalid, zoneNotFound } from '../../domain/errors.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import { settingsIn, zoneSettings } from './settings/zone-setting-fields.ts'
import {
  zone,
  zoneJson,
  zoneDetail,
  zoneDetailJson,
  zoneParams,
  zoneStorage,
} from './zone-schemas.ts'

/** What zones are read from. */
export interface ZonesShown {
  readonly catalog: Pick<Catalog, 'zone' | 'zones' | 'zoneFiles' | 'zoneSummary'>
  readonly domains: Pick<Domains, 'listOf'>
  readonly baseUrl: string | undefined
}

export interface ZonesDependencies extends ZonesShown {
  readonly zones: Zones
}

const common = { plane: 'core', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'zones:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'zones:write', session: true } as const

const createdZone = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Id: z.string(),
  Name: z.string(),
  OriginUrl: z.url(),
  Commit: z.string(),
  Directories: z.array(z.string()),
  EdgeStatus: z.string(),
  EdgeNote: z.string(),
  DateCreated: z.iso.datetime(),
})

const removedZone = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Commit: z.string(),
  FilesRemoved: z.int(),
  EdgeStatus: z.string(),
})

const listZones = operation({
  ...common,
  id: 'listZones',
  method: 'get',
  path: '/api/core/zones',
  summary: 'List zones',
  access: mayRead,
  answeredBy: 'any node',
  responses: { 200: { description: 'Every zone, by name', schema: z.array(zone) } },
}).handledBy((dependencies: ZonesShown) => async ({ request, caller, respond }) => {
  const sources = sourcesOf(request, dependencies)
  const visible = dependencies.catalog.zones().filter(({ name }) => reaches(caller, name))
  return respond(
    200,
    visible.map((record) => zoneJson(record, sources)),
  )
})

const getZone = operation({
  ...common,
  id: 'getZone',
  method: 'get',
  path: '/api/core/zones/{id}',
  summary: 'Show a zone and its files',
  example: { params: { id: 'acme' } },
  access: mayRead,
  params: zoneParams,
  answeredBy: 'any node',
  responses: { 200: { description: 'The zone', schema: zoneDetail } },
}).handledBy((dependencies: ZonesShown) => async ({ params, request, caller, respond }) => {
  const record = visibleZone(params.id, caller, dependencies.catalog)
  return respond(200, zoneDetailJson(record, sourcesOf(request, dependencies)))
})

const getZoneStorage = operation({
  ...common,
  id: 'getZoneStorage',
  method: 'get',
  path: '/api/core/zones/{id}/storage',
  summary: 'What the files of a zone take, by category and format',
  example: { params: { id: 'acme' } },
  access: mayRead,
  params: zoneParams,
  answeredBy: 'any node',
  responses: { 200: { description: 'In sum and by kind', schema: zoneStorage } },
}).handledBy(({ catalog }: ZonesShown) => async ({ params, caller, respond }) => {
  const { name } = visibleZone(params.id, caller, catalog)
  const { fileCount, storageBytes, kinds } = catalog.zoneSummary(name)
  return respond(200, {
    HttpCode: 200,
    Message: `${fileCount} files`,
    FileCount: fileCount,
    StorageUsed: storageBytes,
    Kinds: kinds
      .toSorted((a, b) => b.storageBytes - a.storageBytes)
      .map((kind) => ({
        Category: kind.category,
        Format: kind.format,
        FileCount: kind.fileCount,
        Bytes: kind.storageBytes,
      })),
  })
})

const createZone = operation({
  ...common,
  id: 'createZone',
  method: 'post',
  path: '/api/core/zones',
  summary: 'Create a zone',
  example: { body: { Name: 'acme' } },
  access: mayWrite,
  body: {
    kind: 'json',
    schema: zoneSettings.pick({ History: true, HistoryDays: true }).extend({ Name: z.string() }),
  },
  responses: { 201: { description: 'Created', schema: createdZone } },
}).handledBy((dependencies: ZonesDependencies) => async ({ body, request, caller, respond }) => {
  const { Name, ...given } = body
  const settings = settingsIn(given)
  const isPlain = Object.keys(settings).length === 0
  const { zone: record, commitId } = await dependencies.zones.create(Name, actorOf(caller), {
    ...(!isPlain && { settings }),
  })
  const { OriginUrl } = zoneJson(record, sourcesOf(request, dependencies))
  return respond(201, {
    HttpCode: 201,
    Message: `Zone "${record.name}" created`,
    Id: record.name,
    Name: record.name,
    OriginUrl,
    Commit: commitId,
    Directories: [...standardDirectories],
    EdgeStatus: 'pending',
    EdgeNote: 'Committed; edges know the zone within seconds.',
    DateCreated: record.createdAt.toISOString(),
  })
})

const updateZone = operation({
  ...common,
  id: 'updateZone',
  method: 'patch',
  path: '/api/core/zones/{id}',
  summary:
    'Enable, disable, suspend or resume a zone, open its history or say how long it is kept, or close its transforms',
  example: { params: { id: 'acme' }, body: { Enabled: true, Suspended: false } },
  description:
    'A disabled zone is answered 404 by the edge, a suspended one 403; a suspended zone takes no writes. With History `public` anybody, with `signed` whoever has a signed URL, gets files as a former commit has them, at `/@<commit>/…`. With HistoryDays, bytes that were replaced or deleted longer ago go for good; commits stay in the log. With Transforms `named-only` images of the zone are made by the names in `_transforms` and in the widths of `/api/picture`, with `signed` for signed URLs alone; whatever else is asked for is 403.',
  access: mayWrite,
  params: zoneParams,
  body: { kind: 'json', schema: zoneSettings },
  responses: { 200: { description: 'The zone', schema: zone } },
}).handledBy(
  (dependencies: ZonesDependencies) =>
    async ({ params, body, request, caller, respond }) => {
      visibleZone(params.id, caller, dependencies.catalog)
      const settings = settingsIn(body)
      if (Object.keys(settings).length === 0)
        throw invalid('body', 'must set Enabled, Suspended, History, HistoryDays or Transforms')
      const record = await dependencies.zones.update(params.id, settings, actorOf(caller))
      return respond(200, zoneJson(record, sourcesOf(request, dependencies)))
    },
)

const deleteZone = operation({
  ...common,
  id: 'deleteZone',
  method: 'delete',
  path: '/api/core/zones/{id}',
  summary: 'Delete a zone with all its files',
  example: { params: { id: 'acme' } },
  access: mayWrite,
  params: zoneParams,
  responses: { 200: { description: 'Deleted', schema: removedZone } },
}).handledBy((dependencies: ZonesDependencies) => async ({ params, caller, respond }) => {
  visibleZone(params.id, caller, dependencies.catalog)
  const { commitId, filesRemoved } = await dependencies.zones.remove(params.id, actorOf(caller))
  return respond(200, {
    HttpCode: 200,
    Message: `Zone "${params.id}" deleted; files removed: ${filesRemoved}`,
    Commit: commitId,
    FilesRemoved: filesRemoved,
    EdgeStatus: 'purging',
  })
})

const sourcesOf = (request: Request, { catalog, domains, baseUrl }: ZonesShown) => ({
  catalog,
  domains,
  baseUrl: baseUrlOf(request, baseUrl),
})

/** A zone the caller does not reach looks like one that is not there. */
function visibleZone(name: string, caller: Caller, catalog: Pick<Catalog, 'zone'>) {
  const record = reaches(caller, name) ? catalog.zone(name) : undefined
  if (!record) throw zoneNotFound(name)
  return record
}

/** What only reads of `/api/core/zones`. */
export const zoneReadings: readonly HandledOperation<ZonesShown>[] = [
  listZones,
  getZone,
  getZoneStorage,
]

/** `/api/core/zones`. */
export const zoneOperations: readonly HandledOperation<ZonesDependencies>[] = [
  ...zoneReadings,
  createZone,
  updateZone,
  deleteZone,
]
