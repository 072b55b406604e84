import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { z } from 'zod'

import type { AssetHistory, AssetVersion } from '../../domain/content/files/asset-history.ts'
import { parseAssetPath, repositoryPath } from '../../domain/content/asset-path.ts'
import type { DeletedFiles } from '../../domain/content/files/deleted-files.ts'
import type { RestoredVersions } from '../../domain/content/files/restored-versions.ts'
import { contentTypeOf } from '../../domain/content/media-type.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import { namedPaths, parseNamedPaths } from '../named-paths.ts'

/** What histories are read from. */
export interface HistoryShown {
  readonly history: AssetHistory
}

export interface HistoryDependencies extends HistoryShown {
  readonly restoredVersions: RestoredVersions
  readonly deleted: Pick<DeletedFiles, 'restore'>
}

const path = z.string().describe('`<zone>/v1/…`; a leading `/` or `clients/` does no harm')
const commit = z
  .string()
  .regex(/^[0-9a-f]{40}$/u, 'must be a commit id, 40 digits of lower-case hex')

const version = z.object({
  Commit: z.string(),
  Subject: z.string(),
  Author: z.string().describe('The id of a credential, or who committed by other means'),
  RequestId: z.string().nullable(),
  DateCommitted: z.iso.datetime(),
  Change: z.enum(['stored', 'deleted']),
  Size: z.int().nullable().describe('Bytes; null where the commit deleted the file'),
  Checksum: z.string().nullable().describe('SHA-256 in hex'),
  Path: z.string().describe('The path the file had then'),
  MovedFrom: z.string().nullable().describe('Where the commit moved it from'),
  MovedTo: z.string().nullable().describe('Where the commit moved it to'),
})

const history = z.object({
  Path: z.string(),
  Versions: z.array(version).describe('Newest first'),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
})

const restoredFiles = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Commit: z.string().nullable().describe('`null` of a dry run'),
  Paths: z.array(z.string()).describe('What is there again'),
  EdgeStatus: z.literal('pending'),
  ...dryRunFields,
})

const restored = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Path: z.string(),
  Length: z.int(),
  Checksum: z.string(),
  EdgeStatus: z.enum(['pending', 'purging']),
})

const common = { plane: 'assets', envelope: 'standard' } as const

const getAssetHistory = operation({
  ...common,
  id: 'getAssetHistory',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/assets/history',
  summary: 'Who changed an asset, and when',
  example: { query: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'From the repository, so it knows of files that are gone, of the names a file had before it was moved, and of other writers.',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  query: z.object({ path, limit: clampedInteger({ min: 1, max: 100, default: 20 }) }),
  responses: { 200: { description: 'Its versions', schema: history } },
}).handledBy(({ history: of }: HistoryShown) => async ({ query, caller, respond }) => {
  const asset = parseAssetPath(query.path)
  const versions = await of.versions(asset, query.limit, actorOf(caller))
  return respond(200, {
    Path: asset,
    Versions: await Promise.all(versions.map(spell)),
    Count: versions.length,
    Limit: query.limit,
  })
})

async function spell(of: AssetVersion): Promise<z.infer<typeof version>> {
  const blob = await of.file?.blob()
  return {
    Commit: of.id,
    Subject: of.request.subject,
    Author: of.request.author,
    RequestId: of.request.requestId ?? null,
    DateCommitted: of.committedAt.toISOString(),
    Change: blob === undefined ? 'deleted' : 'stored',
    Size: blob?.sizeBytes ?? null,
    Checksum: blob?.sha256 ?? null,
    Path: of.path,
    MovedFrom: of.movedFrom ?? null,
    MovedTo: of.movedTo ?? null,
  }
}

const getAssetVersion = operation({
  ...common,
  id: 'getAssetVersion',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/assets/version',
  summary: 'An asset as a commit left it',
  access: { keys: ['access'], scope: 'storage:read', session: true },
  query: z.object({ path, commit }),
  responses: {
    200: { description: 'The bytes', contentType: '*/*' },
  },
}).handledBy(({ history: of }: HistoryShown) => async ({ query, caller }) => {
  const asset = parseAssetPath(query.path)
  const file = await of.fileAt(asset, query.commit, actorOf(caller))
  const [{ sizeBytes }, body] = await Promise.all([file.blob(), file.open()])
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, {
    headers: {
      'Content-Type': file.contentType ?? contentTypeOf(asset),
      'Content-Length': String(sizeBytes),
      // Never run by a browser that was led here, and the same for ever.
      'Content-Disposition': 'attachment',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': cacheLifetimes.privatePinned,
    },
  })
})

const wantedFiles = z.object({ Paths: namedPaths, ...dryRunBody })

const restoreAsset = operation({
  ...common,
  id: 'restoreAsset',
  method: 'post',
  path: '/api/assets/restore',
  summary: 'Bring a version of an asset back, or what was deleted',
  description:
    'With `path` and `commit`: the file as that commit left it, with what was known of it then. With `Paths`: files that were deleted in the last 30 days, and with a slash at the end all that was deleted below a directory; all of them in one commit, with what was known of them, or none.',
  access: { keys: ['access'], scope: 'storage:write', session: true },
  query: z.object(dryRunQuery),
  body: { kind: 'json', schema: z.union([z.object({ path, commit }), wantedFiles]) },
  responses: { 200: { description: 'Restored', schema: z.union([restored, restoredFiles]) } },
}).handledBy((dependencies: HistoryDependencies) => async ({ query, body, caller, respond }) => {
  const { restoredVersions, deleted } = dependencies
  const actor = actorOf(caller)
  if ('Paths' in body) {
    const isDryRun = isDryRunOf(query, body)
    const { commitId, paths } = await deleted.restore(
      { wanted: await parseNamedPaths(body.Paths), isDryRun },
      actor,
    )
    return respond(200, {
      HttpCode: 200,
      Message: isDryRun ? 'Nothing was restored: dry run' : `Files restored: ${paths.length}`,
      Commit: commitId ?? null,
      Paths: paths.map(repositoryPath),
      EdgeStatus: 'pending',
      ...dryRunJson(isDryRun),
    })
  }
  const asset = parseAssetPath(body.path)
  const written = await restoredVersions.apply(asset, body.commit, actor)
  const { outcome, sizeBytes, sha256 } = written
  return respond(200, {
    HttpCode: 200,
    Message: outcome === 'unchanged' ? 'It is this version already' : 'Restored',
    Path: repositoryPath(asset),
    Length: sizeBytes,
    Checksum: sha256,
    EdgeStatus: outcome === 'created' ? 'pending' : 'purging',
  })
})

/** Those that any node answers. */
export const assetHistoryReadings: readonly HandledOperation<HistoryShown>[] = [
  getAssetHistory,
  getAssetVersion,
]

/** `/api/assets/history`, and what can be done with it. */
export const assetHistoryOperations: readonly HandledOperation<HistoryDependencies>[] = [
  ...assetHistoryReadings,
  restoreAsset,
]
