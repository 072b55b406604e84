import { z } from 'zod'

import type { RequestLine } from '../../ports/traffic/request-log-store.ts'

/** What an entry says of a request; left out of one about the service itself. */
const requestFields = {
  line: z.string().optional().describe('Tells lines apart that say the same'),
  method: z.string().optional(),
  path: z.string().optional().describe('Without the query'),
  status: z.int().optional(),
  ms: z.number().optional().describe('Until the response began'),
  bytes: z.number().optional().describe('Of the body, as far as known when it began'),
  cache: z.enum(['hit', 'miss']).nullable().optional(),
  zone: z.string().nullable().optional(),
  asset: z.string().nullable().optional().describe('`<zone>/v1/…`, where it was about one'),
  by: z
    .object({ kind: z.string(), id: z.string(), name: z.string().nullable() })
    .nullable()
    .optional()
    .describe('With what somebody came: a key, token, session or upload grant'),
  country: z.string().optional(),
  network: z.string().nullable().optional().describe('The /24 or /48 of the client'),
  referrer: z.string().nullable().optional().describe('The host of the page that led here'),
  agent: z.string().nullable().optional().describe('The family of the browser or program'),
  operation: z.string().nullable().optional(),
  reason: z.string().nullable().optional().describe('Why it was refused'),
  headers: z.record(z.string(), z.string()).optional().describe('Those that are safe to keep'),
}

export const entrySchema = z.looseObject({
  timestamp: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  code: z.string().nullable(),
  message: z.string(),
  requestId: z.string().nullable(),
  ...requestFields,
})

type Entry = z.infer<typeof entrySchema>

export function levelOf({ status }: Pick<RequestLine, 'status'>): Entry['level'] {
  if (status >= 500) return 'error'
  return status >= 400 ? 'warn' : 'info'
}

/** A line as the interface spells it. */
export function requestEntryOf(line: RequestLine): Entry {
  const { at, code, requestId, zone, by, headers = {}, ...rest } = line
  return {
    ...nothingKnown,
    ...rest,
    timestamp: new Date(at).toISOString(),
    level: levelOf(line),
    code: code ?? null,
    message: `${line.status} ${line.method} ${line.path}`,
    requestId: requestId ?? null,
    zone: zone === '' ? null : zone,
    by: by === undefined ? null : { ...by, name: by.name ?? null },
    headers,
  }
}

const nothingKnown = {
  cache: null,
  asset: null,
  network: null,
  referrer: null,
  agent: null,
  operation: null,
  reason: null,
}
