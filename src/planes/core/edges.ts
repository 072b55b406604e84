import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { EdgeRegistry, EdgeState } from '../../domain/edges/edge-registry.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Access, type HandledOperation, operation } from '../../http/operation.ts'

export interface EdgeRegistryDependencies {
  readonly edges: Pick<EdgeRegistry, 'list' | 'standings'>
  /** The newest number of the feed that tells of a commit; `undefined` where none does. */
  readonly seqOfCommit: (commitId: string) => Promise<{ seq: number; at: Date } | undefined>
  readonly now: () => Date
}

const access: Access = { keys: ['account'], scope: 'edges:read', session: true }

const edge = z.object({
  Name: z.string(),
  Status: z.enum(['live', 'away']).describe('`away`: nothing was heard of it for 35 seconds'),
  Seq: z.int().describe('The newest number of the feed it serves'),
  Via: z.string().nullable().describe('The edge it gets everything from; null: the origin'),
  FirstSeen: z.iso.datetime(),
  LastSeen: z.iso.datetime(),
})

const edgeList = z.object({ Edges: z.array(edge), Count: z.int(), DateFetched: z.iso.datetime() })

const deployment = z.object({
  Commit: z.string(),
  Seq: z.int(),
  DatePublished: z.iso.datetime(),
  Edges: z.array(
    z.object({
      ...edge.shape,
      HasCommit: z.boolean(),
      Since: z.iso.datetime().nullable().describe('When it was first known to serve it'),
    }),
  ),
  EdgeCount: z.int(),
  EdgesWithCommit: z.int(),
  IsEverywhere: z.boolean().describe('Whether every edge that is live serves it'),
  DateFetched: z.iso.datetime(),
})

const listEdges = operation({
  id: 'listEdges',
  plane: 'core',
  method: 'get',
  path: '/api/core/edges',
  summary: 'The edges that follow this service',
  access,
  envelope: 'standard',
  responses: { 200: { description: 'By name', schema: edgeList } },
}).handledBy(({ edges, now }: EdgeRegistryDependencies) => async ({ caller, respond }) => {
  requireAllZones(caller)
  const all = await edges.list()
  return respond(200, {
    Edges: all.map(spell),
    Count: all.length,
    DateFetched: now().toISOString(),
  })
})

const getDeployment = operation({
  id: 'getDeployment',
  plane: 'core',
  method: 'get',
  path: '/api/core/deployments/{commit}',
  summary: 'Which edges serve a commit, and since when',
  access,
  envelope: 'standard',
  params: z.object({
    commit: z.string().regex(/^[0-9a-f]{40}$/u, 'must be a commit id, 40 digits of lower-case hex'),
  }),
  responses: { 200: { description: 'Edge by edge', schema: deployment } },
}).handledBy(
  ({ edges, seqOfCommit, now }: EdgeRegistryDependencies) =>
    async ({ params: { commit }, caller, respond }) => {
      requireAllZones(caller)
      const published = await seqOfCommit(commit)
      if (published === undefined)
        throw new ServiceError('NotFound', `No commit "${commit}" was published`)
      const standings = await edges.standings(published.seq)
      const rows = standings.map(({ edge: each, since }) => ({
        ...spell(each),
        HasCommit: since !== undefined,
        Since: since?.toISOString() ?? null,
      }))
      return respond(200, {
        Commit: commit,
        Seq: published.seq,
        DatePublished: published.at.toISOString(),
        Edges: rows,
        EdgeCount: rows.length,
        EdgesWithCommit: rows.filter(({ HasCommit }) => HasCommit).length,
        IsEverywhere: rows.every(({ HasCommit, Status }) => HasCommit || Status === 'away'),
        DateFetched: now().toISOString(),
      })
    },
)

const spell = ({ name, isLive, seq, via, firstSeenAt, lastSeenAt }: EdgeState) => ({
  Name: name,
  Status: isLive ? ('live' as const) : ('away' as const),
  Seq: seq,
  Via: via ?? null,
  FirstSeen: firstSeenAt.toISOString(),
  LastSeen: lastSeenAt.toISOString(),
})

/** `/api/core/edges` and `/api/core/deployments`. */
export const edgeRegistryOperations: readonly HandledOperation<EdgeRegistryDependencies>[] = [
  listEdges,
  getDeployment,
]
