import { z } from 'zod'

import {
  fileChanges,
  type FileDifference,
  type FileState,
  type ZoneDifferences,
} from '../../../domain/content/past/zone-differences.ts'
import { operation } from '../../../http/operation.ts'
import { clampedInteger, oneOf } from '../../../http/request/query.ts'
import { actorOf } from '../../caller.ts'
import { readZoneState, zoneState } from './zone-state-fields.ts'
import { commit, commitJson } from './zone-commit.ts'
import { zoneParams } from '../zone-schemas.ts'

export interface ZoneDifferencesDependencies {
  readonly zoneDifferences: ZoneDifferences
}

const fileState = z.object({
  Size: z.int().describe('Bytes'),
  Checksum: z.string().describe('SHA-256 in hex'),
  ContentType: z.string(),
})

const difference = z.object({
  Path: z.string(),
  Change: z.enum(fileChanges),
  MetadataOnly: z.boolean().describe('Whether only what is known of it differs'),
  Before: fileState.nullable(),
  After: fileState.nullable(),
})

/** `GET /api/core/zones/{id}/differences`. */
export const getZoneDifferences = operation({
  plane: 'core',
  envelope: 'standard',
  id: 'getZoneDifferences',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/zones/{id}/differences',
  summary: 'What a zone has otherwise at two moments',
  example: { params: { id: 'acme' }, query: { limit: 20 } },
  description:
    'The files that are another, or there at one of the two moments alone, by path. Without `from` the commit before `to` is meant: what that one changed. Without `to` it is the newest.',
  access: { keys: ['account'], scope: 'zones:read', session: true },
  params: zoneParams,
  query: z.object({
    from: zoneState('The one moment').optional(),
    to: zoneState('The other').optional(),
    path: z
      .string()
      .optional()
      .describe('A directory or a file of the zone, such as `v1/icons`; all of it without one'),
    change: oneOf(fileChanges, 'Only these; the numbers are of all').optional(),
    limit: clampedInteger({ min: 1, max: 500, default: 100 }),
    after: z.string().optional().describe('`Next` of the page before'),
  }),
  responses: {
    200: {
      description: 'The files that differ',
      schema: z.object({
        From: commit.nullable().describe('`null` where the zone was not there before'),
        To: commit,
        Differences: z.array(difference),
        Count: z.int().describe('Of this page'),
        Added: z.int().describe('Of all pages'),
        Changed: z.int(),
        Removed: z.int(),
        Next: z.string().nullable().describe('`after` of the next page'),
      }),
    },
  },
}).handledBy(
  ({ zoneDifferences }: ZoneDifferencesDependencies) =>
    async ({ params: { id: zone }, query, caller, respond }) => {
      const { from, to, path: prefix, change, limit, after } = query
      const wanted = {
        zone,
        from: from === undefined ? undefined : readZoneState(from, 'from'),
        to: to === undefined ? undefined : readZoneState(to, 'to'),
        prefix,
        change,
        limit,
        after,
      }
      const found = await zoneDifferences.between(wanted, actorOf(caller))
      return respond(200, {
        From: found.from === undefined ? null : commitJson(found.from),
        To: commitJson(found.to),
        Differences: found.differences.map(differenceJson),
        Count: found.differences.length,
        Added: found.counts.added,
        Changed: found.counts.changed,
        Removed: found.counts.removed,
        Next: found.next ?? null,
      })
    },
)

const differenceJson = (each: FileDifference): z.infer<typeof difference> => ({
  Path: each.path,
  Change: each.change,
  MetadataOnly: each.isDescribedAlone,
  Before: stateJson(each.before),
  After: stateJson(each.after),
})

const stateJson = (of: FileState | undefined): z.infer<typeof fileState> | null =>
  of === undefined ? null : { Size: of.sizeBytes, Checksum: of.sha256, ContentType: of.contentType }
