import { z } from 'zod'

import { zoneQuotaNames } from '../../lib/zone-quota-names.ts'
import type { WebhookDescription } from '../../http/openapi/openapi.ts'
import { sslStatuses } from '../../ports/records/domain.ts'
import type { WebhookEvent } from '../../ports/records/webhook-event.ts'
import { notificationKinds, severities } from '../../ports/records/notification.ts'
import {
  boundDeliveries,
  metadataPolicies,
  moderationSettings,
  ruleFileNames,
  transformModes,
  visionSettings,
} from '../../ports/records/zone.ts'

const zone = z.string().describe('The name of the zone')
const path = z.string().describe('`clients/<zone>/v1/…`')
const commit = z.string().describe('The commit that did it')

const metadata = z
  .looseObject({
    title: z.string().optional(),
    alt: z.record(z.string(), z.string()).optional(),
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    copyright: z.string().optional(),
    licence: z.string().optional(),
    expires: z.iso.datetime().optional(),
    custom: z.record(z.string(), z.unknown()).optional(),
    sources: z.record(z.string(), z.string()).optional(),
  })
  .describe('What is known of it; members that nobody has said are left out')

const asset = z.looseObject({
  path,
  zone,
  category: z.string(),
  size: z.int().describe('Bytes'),
  contentType: z.string(),
  checksum: z.string().describe('Hex SHA-256'),
  commit,
  metadata: metadata.optional(),
  movedFrom: path.optional().describe('Where the file was until this commit moved it'),
})

const focalPoint = z
  .object({ x: z.number(), y: z.number() })
  .nullable()
  .describe('Where that is what changed; null where it was taken back')

const notification = z.looseObject({
  id: z.string(),
  kind: z.enum(notificationKinds),
  severity: z.enum(severities),
  about: z.string().describe('Which of its kind: a host name, the id of a webhook'),
  name: z.string().describe('What people call it'),
  zone: z.string().nullable(),
  detail: z.string(),
  began: z.iso.datetime(),
  ended: z.iso.datetime().nullable(),
  page: z.string().describe('Where in the dashboard something can be done about it'),
})

const quota = z.looseObject({
  zone,
  quota: z.enum(zoneQuotaNames),
  limit: z.int(),
  used: z.int(),
  resets: z.iso.datetime().nullable().describe('Null for what does not come back with time'),
})

interface Described {
  readonly summary: string
  readonly data: z.ZodType
}

/** Every event there is, with what its `data` holds. More members may be added to any. */
const eventData: Readonly<Record<WebhookEvent, Described>> = {
  'asset.created': { summary: 'A file was stored where there was none', data: asset },
  'asset.updated': {
    summary: 'A file was replaced, or something else is said of it',
    data: asset.extend({ focalPoint: focalPoint.optional() }),
  },
  'asset.deleted': {
    summary: 'A file was removed',
    data: z.looseObject({
      path,
      zone,
      commit,
      movedTo: path.optional().describe('Where the same commit moved the file to'),
    }),
  },
  'asset.expired': {
    summary: 'The time that an asset was given is over; told once for each such moment',
    data: asset,
  },
  'zone.created': { summary: 'A zone was made', data: z.looseObject({ zone }) },
  'zone.updated': {
    summary: 'A zone was enabled, disabled, suspended or resumed, or has other settings',
    data: z.looseObject({
      zone,
      enabled: z.boolean(),
      suspended: z.boolean(),
      history: z.enum(['public', 'signed']).optional(),
      transforms: z.enum(transformModes).optional(),
      historyDays: z.int().optional(),
      cacheSeconds: z.int().optional(),
      metadataPolicy: z.enum(metadataPolicies).optional(),
      vision: z.enum(visionSettings).optional(),
      moderation: z.enum(moderationSettings).optional(),
      languages: z.array(z.string()).optional(),
      delivery: z
        .enum(boundDeliveries)
        .optional()
        .describe('While it has used up what it may deliver this month'),
    }),
  },
  'zone.deleted': {
    summary: 'A zone was removed with all its files',
    data: z.looseObject({ zone }),
  },
  'rules.updated': {
    summary: 'A file of edge rules was changed',
    data: z.looseObject({
      file: z.enum(ruleFileNames),
      size: z.int().optional().describe('Bytes'),
      removed: z.boolean().optional(),
    }),
  },
  'domain.updated': {
    summary: 'A custom domain was added or removed, or the state of its certificate changed',
    data: z.looseObject({
      zone,
      hostname: z.string(),
      sslStatus: z.enum(sslStatuses),
      sslError: z.string().nullable(),
      removed: z.boolean(),
    }),
  },
  'preview.updated': {
    summary: 'A preview was made, written to, changed, promoted or removed',
    data: z.looseObject({
      zone,
      name: z.string().describe('The name of the preview'),
      base: z.string().describe('The commit of the zone that it was made at'),
      head: z.string().describe('The commit that it shows'),
      expires: z.iso.datetime(),
      signed: z.boolean(),
      removed: z.boolean(),
    }),
  },
  'purge.completed': {
    summary: 'Edge caches were purged',
    data: z.looseObject({
      urls: z.array(z.string()).optional(),
      tags: z.array(z.string()).optional(),
      everything: z.boolean().optional(),
      soft: z.boolean().optional(),
    }),
  },
  'content.erased': {
    summary: 'Bytes were ordered to be erased for good, and are given to nobody from now on',
    data: z.looseObject({
      erasure: z.string().describe('Its id'),
      sha256: z.array(z.string()),
      paths: z.array(z.string()).describe('Which had them, at most 1,000'),
    }),
  },
  'quota.warning': {
    summary: 'A zone has used four fifths of a quota; told once a month',
    data: quota,
  },
  'quota.reached': { summary: 'A zone has used up a quota; told once a month', data: quota },
  'notification.raised': {
    summary: 'Something is wrong: a disk fills up, a certificate ends, a webhook fails',
    data: notification,
  },
  'notification.resolved': { summary: 'It is over', data: notification },
  'deploy.completed': {
    summary: 'Everything up to a commit is published',
    data: z.looseObject({
      commit: z.string().describe('The last of them'),
      commits: z.int().describe('How many were published together'),
    }),
  },
}

export const eventNames = Object.keys(eventData) as [WebhookEvent, ...WebhookEvent[]]

/** The body of a delivery of an event. */
export const eventBody = (event: WebhookEvent) =>
  z.object({
    event: z.literal(event),
    timestamp: z.iso.datetime(),
    data: eventData[event].data,
  })

/** What the service sends, for its description. */
export const webhookDescriptions: readonly WebhookDescription[] = eventNames.map((name) => ({
  name,
  summary: eventData[name].summary,
  schema: eventBody(name),
}))
