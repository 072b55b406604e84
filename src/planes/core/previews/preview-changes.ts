import { z } from 'zod'

import { encodePath } from '../../../domain/content/asset-path.ts'
import type { PreviewCatalogs } from '../../../domain/previews/preview-catalogs.ts'
import type { Previews } from '../../../domain/previews/previews.ts'
import type {
  MergedPreview,
  Promotions,
  PromotionPlan,
} from '../../../domain/previews/promotions.ts'
import { type HandledOperation, operation } from '../../../http/operation.ts'
import { clampedInteger } from '../../../http/request/query.ts'
import { sortInTurns } from '../../../lib/async/in-turns.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { actorOf, baseUrlOf } from '../../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../../dry-run.ts'
import { previewParams } from './preview-schemas.ts'

export interface PreviewChangesDependencies {
  readonly previews: Previews
  readonly promotions: Promotions
  /** What a preview has at paths. */
  readonly assetsOf: PreviewCatalogs['assets']
  readonly published: Pick<Manifest, 'asset'>
  readonly baseUrl: string | undefined
}

const common = { plane: 'core', envelope: 'standard', params: previewParams } as const
const mayRead = { keys: ['account'], scope: 'storage:read', session: true } as const
const mayPublish = { keys: ['account'], scope: 'storage:write', session: true } as const
const mayWrite = { ...mayPublish, orScopes: ['previews:write'] } as const

const fileState = z.object({
  Url: z.url(),
  Size: z.int().describe('Bytes'),
  Checksum: z.string().describe('SHA-256 in hex'),
  ContentType: z.string(),
})

const difference = z.object({
  Path: z.string(),
  Change: z.enum(['added', 'changed', 'removed']),
  Before: fileState.nullable().describe('What is live'),
  After: fileState.nullable().describe('What the preview has'),
})

const getPreviewDifferences = operation({
  ...common,
  id: 'getPreviewDifferences',
  method: 'get',
  path: '/api/core/zones/{id}/previews/{name}/differences',
  summary: 'What a promotion of a preview would change',
  example: { params: { id: 'acme', name: 'spring' } },
  description:
    'The files that the preview changed and live does not have so, by path. What live changed meanwhile is no difference. `Conflicts` counts the paths that both changed.',
  access: mayRead,
  query: z.object({
    limit: clampedInteger({ min: 1, max: 500, default: 100 }),
    after: z.string().optional().describe('`Next` of the page before'),
  }),
  responses: {
    200: {
      description: 'The files',
      schema: z.object({
        Differences: z.array(difference),
        Count: z.int().describe('Of this page'),
        Added: z.int().describe('Of all pages'),
        Changed: z.int(),
        Removed: z.int(),
        Conflicts: z.int(),
        Next: z.string().nullable().describe('`after` of the next page'),
      }),
    },
  },
}).handledBy(
  (dependencies: PreviewChangesDependencies) =>
    async ({ params: { id: zone, name }, query, request, caller, respond }) => {
      const { previews, promotions, assetsOf, published } = dependencies
      const preview = previews.find(zone, name, actorOf(caller))
      const plan = await promotions.plan(preview)
      const rest = (await rowsOf(plan)).filter(({ path }) => path > (query.after ?? ''))
      const some = rest.slice(0, query.limit)
      const shown = await assetsOf(
        preview,
        some.map(({ path }) => path),
      )
      const baseUrl = baseUrlOf(request, dependencies.baseUrl)
      return respond(200, {
        Differences: some.map(({ path, change }) => ({
          Path: path,
          Change: change,
          Before: stateJson(published.asset(path), baseUrl),
          After: stateJson(shown.get(path), `${baseUrl}/@~${name}`),
        })),
        Count: some.length,
        Added: plan.added.length,
        Changed: plan.changed.length,
        Removed: plan.removed.length,
        Conflicts: plan.conflicts.length,
        Next: rest.length > some.length ? (some.at(-1)?.path ?? null) : null,
      })
    },
)

/** Thousands of files let requests be answered meanwhile. */
const rowsPerTurn = 5_000

const rowsOf = async ({ added, changed, removed }: PromotionPlan) =>
  await sortInTurns(
    [
      ...added.map((path) => ({ path, change: 'added' as const })),
      ...changed.map((path) => ({ path, change: 'changed' as const })),
      ...removed.map((path) => ({ path, change: 'removed' as const })),
    ],
    rowsPerTurn,
    (one, other) => (one.path < other.path ? -1 : 1),
  )

const stateJson = (
  asset: AssetRecord | undefined,
  baseUrl: string,
): z.infer<typeof fileState> | null =>
  asset === undefined
    ? null
    : {
        Url: `${baseUrl}/${encodePath(asset.path)}`,
        Size: asset.sizeBytes,
        Checksum: asset.sha256,
        ContentType: asset.contentType,
      }

const namedPathCount = 1000
const named = z.array(z.string()).describe(`At most ${namedPathCount} are named, of all three`)

const merged = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Zone: z.string(),
  Name: z.string(),
  Commit: z.string().nullable().describe('`null` of a dry run, and where nothing was otherwise'),
  Added: z.int(),
  Changed: z.int(),
  Removed: z.int(),
  Paths: z.object({ Added: named, Changed: named, Removed: named }),
  ...dryRunFields,
})

const promotePreview = operation({
  ...common,
  id: 'promotePreview',
  method: 'post',
  path: '/api/core/zones/{id}/previews/{name}/promote',
  summary: 'Make a preview live',
  example: { params: { id: 'acme', name: 'spring' }, body: { DryRun: true } },
  description:
    'One commit of what the preview changed, path by path, which is published like any other. Where live has changed the same otherwise it is 409 `PreviewConflict` with `Conflicts`, and nothing is done. Where the zone has Moderation `hold` and a model takes an image for unfit, or has not seen it yet, it is 409 `ModerationHeld`; `Release` makes it live all the same.',
  access: mayPublish,
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    isLenient: true,
    schema: z.object({
      Paths: z
        .array(z.string())
        .min(1)
        .max(1000)
        .optional()
        .describe('Directories or files of the zone, such as `v1/icons`; all of it without'),
      Release: z
        .array(z.string())
        .max(1000)
        .optional()
        .describe(
          'Images, such as `v1/photos/a.jpg`, that a person has looked at: they become live though the zone holds them back. The audit log keeps which',
        ),
      Delete: z.boolean().optional().describe('Remove the preview once it is live'),
      ...dryRunBody,
    }),
  },
  responses: { 200: { description: 'What is live now, or would be', schema: merged } },
}).handledBy(
  ({ promotions, previews }: PreviewChangesDependencies) =>
    async ({ params: { id: zone, name }, query, body, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const asked = { zone, name, prefixes: body.Paths, released: body.Release, isDryRun }
      const done = await promotions.promote(asked, actorOf(caller))
      if (body.Delete === true && !isDryRun) await previews.remove(zone, name, actorOf(caller))
      const verb = isDryRun ? 'would be live' : 'is live'
      return respond(200, mergedJson(done, { zone, name, verb, isDryRun }))
    },
)

const updatePreview = operation({
  ...common,
  id: 'updatePreview',
  method: 'post',
  path: '/api/core/zones/{id}/previews/{name}/update',
  summary: 'Bring into a preview what is live by now',
  example: { params: { id: 'acme', name: 'spring' }, body: {} },
  description:
    'One commit of the preview that has all that live changed since, and the preview’s own changes. What both changed otherwise is 409 `PreviewConflict`, and nothing is done.',
  access: mayWrite,
  query: z.object(dryRunQuery),
  body: { kind: 'json', isLenient: true, schema: z.object(dryRunBody) },
  responses: { 200: { description: 'What the preview has now, or would have', schema: merged } },
}).handledBy(
  ({ promotions }: PreviewChangesDependencies) =>
    async ({ params: { id: zone, name }, query, body, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const done = await promotions.update({ zone, name, isDryRun }, actorOf(caller))
      const verb = isDryRun ? 'would have what is live' : 'has what is live'
      return respond(200, mergedJson(done, { zone, name, verb, isDryRun }))
    },
)

interface Told {
  readonly zone: string
  readonly name: string
  readonly verb: string
  readonly isDryRun: boolean
}

function mergedJson(
  { commitId, added, changed, removed }: MergedPreview,
  { zone, name, verb, isDryRun }: Told,
): z.infer<typeof merged> {
  const counts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`
  const room = { left: namedPathCount }
  const some = (paths: readonly string[]) => {
    const taken = paths.slice(0, room.left)
    room.left -= taken.length
    return taken
  }
  return {
    HttpCode: 200,
    Message: `Preview "${name}" of zone "${zone}" ${verb}: ${counts}`,
    Zone: zone,
    Name: name,
    Commit: commitId ?? null,
    Added: added.length,
    Changed: changed.length,
    Removed: removed.length,
    Paths: { Added: some(added), Changed: some(changed), Removed: some(removed) },
    ...dryRunJson(isDryRun),
  }
}

/** `…/previews/{name}/differences`, `/promote` and `/update`. */
export const previewChangesOperations: readonly HandledOperation<PreviewChangesDependencies>[] = [
  getPreviewDifferences,
  promotePreview,
  updatePreview,
]
