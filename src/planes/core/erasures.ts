import { z } from 'zod'

import type { Erasures } from '../../domain/erasing/erasures.ts'
import type { ErasureTarget } from '../../domain/erasing/erasure-targets.ts'
import { invalid } from '../../domain/errors.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { type ErasureRecord, placeStates } from '../../ports/records/erasure.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunQuery, isDryRunOf } from '../dry-run.ts'

export interface ErasureDependencies {
  readonly erasures: Erasures
  /** Of a dry run: which previews have any of the bytes. */
  readonly previewsWith: (sha256s: readonly string[]) => Promise<readonly string[]>
}

const common = {
  plane: 'core',
  envelope: 'standard',
  // Bytes may be of any zone, so that no token is enough.
  access: { keys: ['account'], session: true },
} as const

const sha256 = z.string().describe('SHA-256, lower-case hex')

const place = z.object({
  Place: z.string().describe('`live`, `repository`, `blobs`, …; of an edge `edge:` and its name'),
  State: z
    .enum(placeStates)
    .describe('`told`: it is out of reach, and `Detail` says what it still holds'),
  Date: z.iso.datetime(),
  Detail: z.string(),
})

const erasure = z.object({
  Id: z.string(),
  Path: z.string().nullable(),
  Sha256: z.array(sha256),
  Reason: z.string(),
  State: z.enum(['working', 'done', 'failed']).describe('`failed` is tried again'),
  DateCreated: z.iso.datetime(),
  DateDone: z.iso.datetime().nullable(),
  By: z.string().describe('The id of a credential'),
  Places: z.array(place),
  Commits: z.int().nullable().describe('How many had the bytes; `null` until that is known'),
  Files: z.array(z.string()).describe('The paths that had the bytes'),
})

/** So many files are named; all of them are erased. */
const namedFileCount = 1000

const plan = z.object({
  Sha256: z.array(sha256),
  Files: z
    .array(z.object({ Path: z.string(), Commits: z.int(), Size: z.int(), Sha256: sha256 }))
    .describe(`Every file with these bytes, of whatever zone; at most ${namedFileCount} are named`),
  FileCount: z.int(),
  Previews: z
    .array(z.string())
    .describe('`<zone>/<name>` of each that has any of the bytes where live has others, or none'),
  Places: z.array(z.string()).describe('Which have to confirm'),
  DryRun: z.literal(true),
})

const orderErasure = operation({
  ...common,
  id: 'orderErasure',
  method: 'post',
  path: '/api/core/erasures',
  summary: 'Erase bytes for good, wherever they are',
  example: {
    body: { Path: 'acme/v1/logos/logo.svg', Reason: 'Asked for by its owner', DryRun: true },
  },
  description:
    'All that a path ever had, or the bytes with a SHA-256. From the answer on every URL that would give them is 451; one place after another then forgets them, the repository among them, whose commits since the first with these bytes get new ids (the former ids go on working). It cannot be taken back: ask for a dry run first.',
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    schema: z.object({
      Path: z.string().max(2048).optional().describe('An asset, such as `acme/v1/portraits/a.jpg`'),
      Sha256: z.string().max(64).optional().describe('Bytes, by their SHA-256'),
      Reason: z.string().max(1000).optional().describe('For the ledger; not of a dry run'),
      Confirm: z.string().max(2048).optional().describe('The path or SHA-256 once more'),
      ...dryRunBody,
    }),
  },
  responses: {
    200: { description: 'What would be erased', schema: plan },
    202: { description: 'Ordered: nobody is given the bytes any more', schema: erasure },
  },
}).handledBy(
  ({ erasures, previewsWith }: ErasureDependencies) =>
    async ({ query, body, caller, respond }) => {
      const target = targetOf(body)
      const actor = actorOf(caller)
      if (!isDryRunOf(query, body)) {
        const reason = body.Reason?.trim() ?? ''
        if (reason === '') throw invalid('Reason', 'must say why, for the ledger')
        const request = { target, reason, confirmation: body.Confirm }
        return respond(202, erasureJson(await erasures.order(request, actor)))
      }
      const { blobs, files, places } = await erasures.plan(target, actor)
      const sha256s = blobs.map((blob) => blob.sha256)
      return respond(200, {
        Sha256: sha256s,
        Files: files.slice(0, namedFileCount).map((file) => ({
          Path: file.path,
          Commits: file.commits,
          Size: file.sizeBytes,
          Sha256: file.sha256,
        })),
        FileCount: files.length,
        Previews: await previewsWith(sha256s),
        Places: places,
        DryRun: true,
      })
    },
)

function targetOf({
  Path: path,
  Sha256: sha256Text,
}: {
  Path?: string | undefined
  Sha256?: string | undefined
}): ErasureTarget {
  if (path !== undefined && sha256Text === undefined) return { path }
  if (path === undefined && sha256Text !== undefined) return { sha256: sha256Text }
  throw invalid('body', 'must have either Path or Sha256')
}

const listErasures = operation({
  ...common,
  id: 'listErasures',
  method: 'get',
  path: '/api/core/erasures',
  summary: 'What was erased, and how far each place has got',
  query: z.object({
    limit: clampedInteger({ min: 1, max: 200, default: 50 }),
    before: z.string().max(64).optional().describe('The last id of the page before'),
  }),
  responses: {
    200: {
      description: 'Newest first',
      schema: z.object({ Erasures: z.array(erasure), Count: z.int(), Limit: z.int() }),
    },
  },
}).handledBy(
  ({ erasures }: ErasureDependencies) =>
    async ({ query: { limit, before }, caller, respond }) => {
      const found = await erasures.list({ limit, before }, actorOf(caller))
      return respond(200, {
        Erasures: found.map(erasureJson),
        Count: found.length,
        Limit: limit,
      })
    },
)

const getErasure = operation({
  ...common,
  id: 'getErasure',
  method: 'get',
  path: '/api/core/erasures/{id}',
  summary: 'One erasure, and how far each place has got',
  params: z.object({ id: z.string().max(64) }),
  responses: { 200: { description: 'The erasure', schema: erasure } },
}).handledBy(
  ({ erasures }: ErasureDependencies) =>
    async ({ params: { id }, caller, respond }) =>
      respond(200, erasureJson(await erasures.find(id, actorOf(caller)))),
)

const erasureJson = (record: ErasureRecord): z.infer<typeof erasure> => ({
  Id: record.id,
  Path: record.path ?? null,
  Sha256: record.blobs.map((blob) => blob.sha256),
  Reason: record.reason,
  State: stateOf(record),
  DateCreated: record.createdAt.toISOString(),
  DateDone: record.doneAt?.toISOString() ?? null,
  By: record.createdBy,
  Places: record.places.map(({ name, state, at, detail }) => ({
    Place: name,
    State: state,
    Date: at.toISOString(),
    Detail: detail,
  })),
  Commits: record.commits ?? null,
  Files: [...record.paths],
})

function stateOf({ doneAt, places }: ErasureRecord): 'working' | 'done' | 'failed' {
  if (doneAt !== undefined) return 'done'
  return places.some(({ state }) => state === 'failed') ? 'failed' : 'working'
}

/** `/api/core/erasures`. */
export const erasureOperations: readonly HandledOperation<ErasureDependencies>[] = [
  orderErasure,
  listErasures,
  getErasure,
]
