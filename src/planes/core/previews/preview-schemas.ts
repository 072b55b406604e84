import { z } from 'zod'

import { hostOfPreview } from '../../../domain/content/previews/preview-hosts.ts'
import type { MergePlan } from '../../../domain/previews/preview-merge.ts'
import type { PreviewKey, PreviewRecord } from '../../../ports/records/preview.ts'
import { zoneParams } from '../zone-schemas.ts'

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
  Added: z.int().describe('Files that a promotion would add'),
  Changed: z.int(),
  Removed: z.int(),
})

interface Sources {
  /** What a promotion would do. */
  readonly plan: Pick<MergePlan, 'added' | 'changed' | 'removed'>
  readonly baseUrl: string
  readonly previewHost?: string | undefined
}

/** A preview as the wire shows it. */
export function previewJson(
  record: PreviewRecord,
  { plan, baseUrl, previewHost }: Sources,
): z.infer<typeof preview> {
  return {
    Zone: record.zone,
    Name: record.name,
    Base: record.baseCommitId,
    Head: record.headCommitId,
    Url: `${baseUrl}/@~${record.name}/${record.zone}/v1/`,
    HostUrl: hostUrlOf(record, baseUrl, previewHost),
    Signed: record.isSigned,
    DateCreated: record.createdAt.toISOString(),
    DateChanged: record.changedAt.toISOString(),
    Expires: record.expiresAt.toISOString(),
    CreatedBy: record.createdBy,
    Added: plan.added.length,
    Changed: plan.changed.length,
    Removed: plan.removed.length,
  }
}

/** With the scheme and port of the service. */
function hostUrlOf(shown: PreviewKey, baseUrl: string, previewHost?: string): string | null {
  const hostname = previewHost === undefined ? undefined : hostOfPreview(shown, previewHost)
  if (hostname === undefined) return null
  const url = new URL(baseUrl)
  url.hostname = hostname
  return `${url.origin}/`
}
