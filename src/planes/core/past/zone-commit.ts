import { z } from 'zod'

import type { ZoneCommit } from '../../../domain/content/past/zone-history.ts'

/** A commit as the wire shows it. */
export const commit = z.object({
  Commit: z.string(),
  Subject: z.string(),
  Author: z.string().describe('The id of a credential, or who committed by other means'),
  RequestId: z.string().nullable(),
  DateCommitted: z.iso.datetime(),
  Parent: z.string().nullable().describe('The commit that it follows'),
})

export const commitJson = ({
  id,
  request,
  committedAt,
  parentId,
}: ZoneCommit): z.infer<typeof commit> => ({
  Commit: id,
  Subject: request.subject,
  Author: request.author,
  RequestId: request.requestId ?? null,
  DateCommitted: committedAt.toISOString(),
  Parent: parentId ?? null,
})
