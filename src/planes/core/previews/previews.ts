import { z } from 'zod'

import { invalid, ServiceError } from '../../../domain/errors.ts'
import type { Promotions } from '../../../domain/previews/promotions.ts'
import type { PreviewedAssets } from '../../../domain/previews/previewed/previewed-assets.ts'
import type { Previews } from '../../../domain/previews/previews.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import { readMoment } from '../../../lib/text/moments.ts'
import { type HandledOperation, operation } from '../../../http/operation.ts'
import { actorOf, baseUrlOf } from '../../caller.ts'
import { listPreviewedAssets } from './previewed-assets.ts'
import { preview, previewJson, previewParams } from './preview-schemas.ts'
import { zoneParams } from '../zone-schemas.ts'

export interface PreviewsDependencies {
  readonly previews: Previews
  readonly promotions: Pick<Promotions, 'plan'>
  readonly previewed: PreviewedAssets
  readonly baseUrl: string | undefined
  /** Below it each preview has a host name. */
  readonly previewHost?: string | undefined
}

const plansUnderWay = 4

const common = { plane: 'core', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'storage:read', session: true } as const
const mayWrite = {
  keys: ['account'],
  scope: 'storage:write',
  orScopes: ['previews:write'],
  session: true,
} as const

const expires = z
  .string()
  .describe('RFC 3339, in the future; without it `PREVIEW_DAYS` after the last change')

const createPreview = operation({
  ...common,
  id: 'createPreview',
  method: 'post',
  path: '/api/core/zones/{id}/previews',
  summary: 'Make a preview of a zone',
  example: { params: { id: 'acme' }, body: { Name: 'spring' } },
  description:
    'A branch of the zone. What is written to it is seen at its own URLs alone, until it is promoted. It begins with what is live, or with what was there at the commit or the moment `From`.',
  access: mayWrite,
  params: zoneParams,
  body: {
    kind: 'json',
    schema: z.object({
      Name: z.string().describe('Lower-case letters, digits and single hyphens; at most 40'),
      From: z
        .string()
        .optional()
        .describe('A commit, or the first digits of it, at least 7; or a moment (RFC 3339)'),
      Expires: expires.optional(),
      Signed: z.boolean().optional().describe('Whether a signed URL is needed to see it'),
    }),
  },
  responses: { 201: { description: 'Made', schema: preview } },
}).handledBy(
  (dependencies: PreviewsDependencies) =>
    async ({ params, body, request, caller, respond }) => {
      const { Name: name, From: from, Expires, Signed: isSigned } = body
      const wanted = {
        name,
        isSigned,
        expiresAt: Expires === undefined ? undefined : momentOf(Expires, 'Expires'),
        from: from === undefined ? undefined : fromOf(from),
      }
      const made = await dependencies.previews.create(params.id, wanted, actorOf(caller))
      return respond(201, await shown(made, request, dependencies))
    },
)

const listPreviews = operation({
  ...common,
  id: 'listPreviews',
  method: 'get',
  path: '/api/core/zones/{id}/previews',
  summary: 'List the previews of a zone',
  example: { params: { id: 'acme' } },
  access: mayRead,
  params: zoneParams,
  responses: {
    200: {
      description: 'By name',
      schema: z.object({ Previews: z.array(preview), Count: z.int() }),
    },
  },
}).handledBy(
  (dependencies: PreviewsDependencies) =>
    async ({ params, request, caller, respond }) => {
      const all = dependencies.previews.list(params.id, actorOf(caller))
      const found = await mapConcurrently(all, plansUnderWay, (each) =>
        shown(each, request, dependencies).catch(unlessGone),
      )
      const there = found.filter((each) => each !== undefined)
      return respond(200, { Previews: there, Count: there.length })
    },
)

const getPreview = operation({
  ...common,
  id: 'getPreview',
  method: 'get',
  path: '/api/core/zones/{id}/previews/{name}',
  summary: 'Show a preview',
  example: { params: { id: 'acme', name: 'spring' } },
  access: mayRead,
  params: previewParams,
  responses: { 200: { description: 'The preview', schema: preview } },
}).handledBy(
  (dependencies: PreviewsDependencies) =>
    async ({ params: { id, name }, request, caller, respond }) => {
      const found = dependencies.previews.find(id, name, actorOf(caller))
      return respond(200, await shown(found, request, dependencies))
    },
)

const updatePreviewSettings = operation({
  ...common,
  id: 'updatePreviewSettings',
  method: 'patch',
  path: '/api/core/zones/{id}/previews/{name}',
  summary: 'Change when a preview expires and who sees it',
  example: { params: { id: 'acme', name: 'spring' }, body: { Signed: true } },
  access: mayWrite,
  params: previewParams,
  body: {
    kind: 'json',
    schema: z.object({
      Expires: expires.nullable().optional(),
      Signed: z.boolean().optional(),
    }),
  },
  responses: { 200: { description: 'The preview', schema: preview } },
}).handledBy(
  (dependencies: PreviewsDependencies) =>
    async ({ params: { id: zone, name }, body, request, caller, respond }) => {
      const { Expires, Signed: isSigned } = body
      if (Expires === undefined && isSigned === undefined)
        throw invalid('body', 'must set Expires or Signed')
      const expiresAt = typeof Expires === 'string' ? momentOf(Expires, 'Expires') : Expires
      const changed = await dependencies.previews.configure(
        { zone, name },
        { expiresAt, isSigned },
        actorOf(caller),
      )
      return respond(200, await shown(changed, request, dependencies))
    },
)

const deletePreview = operation({
  ...common,
  id: 'deletePreview',
  method: 'delete',
  path: '/api/core/zones/{id}/previews/{name}',
  summary: 'Remove a preview',
  example: { params: { id: 'acme', name: 'spring' } },
  description: 'What was promoted stays in the history of the zone; all else of it is forgotten.',
  access: mayWrite,
  params: previewParams,
  responses: {
    200: {
      description: 'Removed',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Zone: z.string(),
        Name: z.string(),
      }),
    },
  },
}).handledBy(
  ({ previews }: PreviewsDependencies) =>
    async ({ params: { id: zone, name }, caller, respond }) => {
      await previews.remove(zone, name, actorOf(caller))
      return respond(200, {
        HttpCode: 200,
        Message: `Preview "${name}" of zone "${zone}" removed`,
        Zone: zone,
        Name: name,
      })
    },
)

function momentOf(text: string, field: string): Date {
  const moment = readMoment(text)
  if (moment === undefined)
    throw invalid(
      field,
      'must be a date with time and offset (RFC 3339), e.g. 2027-01-31T00:00:00Z',
    )
  return moment
}

/** As the wire shows it, with what a promotion would do. */
async function shown(
  record: PreviewRecord,
  request: Request,
  { promotions, baseUrl, previewHost }: PreviewsDependencies,
): Promise<z.infer<typeof preview>> {
  const plan = await promotions.plan(record)
  return previewJson(record, { plan, baseUrl: baseUrlOf(request, baseUrl), previewHost })
}

/** One of many may go while the others are looked at. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'PreviewNotFound') throw error
}

/** No id of a commit has a hyphen. */
const fromOf = (text: string) =>
  text.includes('-') ? { moment: momentOf(text, 'From') } : { commit: text }

/** `/api/core/zones/{id}/previews`. */
export const previewOperations: readonly HandledOperation<PreviewsDependencies>[] = [
  createPreview,
  listPreviews,
  getPreview,
  updatePreviewSettings,
  deletePreview,
  listPreviewedAssets,
]
