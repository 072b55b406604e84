import { z } from 'zod'

import { boundDeliveries, metadataPolicies } from '../../ports/records/zone.ts'

export const assetRow = z
  .tuple([
    z.string(),
    z.string(),
    z.int(),
    z.string(),
    z.int(),
    z.int(),
    z.string(),
    z.record(z.string(), z.unknown()).optional(),
  ])
  .describe(
    'Path, SHA-256, bytes, content type, created and changed in Unix milliseconds, commit, and what is known of it besides',
  )
const zoneRow = z
  .tuple([
    z.string(),
    z.int(),
    z.boolean(),
    z.boolean(),
    z.enum(['public', 'signed']).nullable().optional(),
    z.enum(['named-only', 'signed']).nullable().optional(),
    z.string().nullable().optional(),
    z.int().nullable().optional(),
    z
      .object({
        headers: z.string().optional(),
        redirects: z.string().optional(),
        cacheSeconds: z.int().optional(),
        metadataPolicy: z.enum(metadataPolicies).optional(),
        delivery: z.enum(boundDeliveries).optional(),
      })
      .optional(),
  ])
  .describe(
    'Name, created in Unix milliseconds, enabled, suspended, who may ask for what it had, what everybody may have made of its images, its own named transforms, since when nothing of what it had was let go, and its own rules and defaults',
  )

const previewRow = z
  .tuple([
    z.string(),
    z.string(),
    z.string(),
    z.int(),
    z.int(),
    z.int(),
    z.array(z.enum(['own-expiry', 'signed'])),
    z.string(),
  ])
  .describe(
    'Name, commit that it began with, commit that it shows, made, changed and over in Unix milliseconds, whether somebody said when it is over and whether a signature is needed, and who made it',
  )

const zoneLine = z
  .tuple([
    zoneRow,
    z.array(z.string()),
    z.array(z.string()).optional(),
    z.array(previewRow).optional(),
  ])
  .describe(
    'The zone, its host names, those of them that http is not redirected at, and its previews',
  )
const ruleFileLine = z.tuple([z.string(), z.string()]).describe('Name and content of a rule file')

const erasedLine = z
  .string()
  .describe('The SHA-256 of erased bytes, or a path that had such; plain text')

/** A line of a part of the manifest. */
export const manifestLine = z.union([zoneLine, assetRow, ruleFileLine, erasedLine])

const entryRow = z
  .tuple([
    z.int(),
    z.int(),
    z.string(),
    z.string().nullable(),
    z.string().nullable(),
    z.string().nullable(),
    z.record(z.string(), z.unknown()).optional(),
  ])
  .describe('Number, Unix milliseconds, event, zone, path, commit, and what else there is to say')
const hostRow = z
  .tuple([z.string(), z.string().nullable(), z.literal('plain').optional()])
  .describe('Host name, zone, and `plain` where http is not redirected')

/** What leads from one position of the feed to a later one. */
export const changeMessage = z.object({
  from: z.int(),
  to: z.tuple([z.int(), z.int()]),
  entries: z.array(entryRow),
  removedZones: z.array(z.string()),
  zones: z.array(zoneRow),
  removedAssets: z.array(z.string()),
  assets: z.array(assetRow),
  ruleFiles: z.array(z.tuple([z.string(), z.string(), z.int()])),
  removedRuleFiles: z.array(z.string()),
  erased: z.array(z.string()).optional().describe('All that was ever erased'),
  hosts: z.array(hostRow),
  previews: z
    .array(z.tuple([z.string(), z.string(), previewRow.nullable()]))
    .optional()
    .describe('Zone, name, and what it is now'),
  continues: z
    .literal(true)
    .optional()
    .describe('More of the same publication follows, and is to be shown together with this'),
})
