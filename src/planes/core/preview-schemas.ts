import { z } from 'zod'

import type { PreviewRecord } from '../../ports/records/preview.ts'
import { zoneParams } from './zone-schemas.ts'

export const previewParams = zoneParams.extend({
  name: z.string().describe('The name of the preview'),
})

export const preview = z.object({
  Zone: z.string(),
  Name: z.string(),
  Base: z.string().describe('The commit of what is live that it was made at, or updated to'),
  Head: z.string().describe('The commit that it shows'),
  Url: z.url().describe('Where its files are'),
  HostUrl: z.url().nullable().describe('The same on a host name of its own, where there is one'),
  Signed: z.boolean().describe('Whether a signed URL is needed to see it'),
  DateCreated: z.iso.datetime(),
  DateChanged: z.iso.datetime(),
  Expires: z.iso.datetime(),
  CreatedBy: z.string().describe('The id of a credential'),
})

/** A preview as the wire shows it. */
export function previewJson(
  record: PreviewRecord,
  { baseUrl }: { readonly baseUrl: string },
): z.infer<typeof preview> {
  return {
    Zone: record.zone,
    Name: record.name,
    Base: record.baseCommitId,
    Head: record.headCommitId,
    Url: `${baseUrl}/@~${record.name}/${record.zone}/v1/`,
    HostUrl: null,
    Signed: record.isSigned,
    DateCreated: record.createdAt.toISOString(),
    DateChanged: record.changedAt.toISOString(),
    Expires: record.expiresAt.toISOString(),
    CreatedBy: record.createdBy,
  }
}
