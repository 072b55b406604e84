import { z } from 'zod'

import type { LeftOut } from '../../domain/health/left-out.ts'
import type { Health } from '../../domain/health/health.ts'
import { apiVersion } from '../../http/response/envelopes.ts'
import { operation } from '../../http/operation.ts'

export interface HealthDependencies {
  readonly health: Health
  /** What is left out although everything works. */
  readonly leftOut?: Pick<LeftOut, 'warnings'>
  /** The program's own version. */
  readonly version: string
  readonly now: () => Date
  /** Counts a close look. Throws `limit_reached`. */
  readonly chargeHealthCheck?: (clientAddress: string) => void
}

const healthReport = z.object({
  status: z.enum(['ok', 'degraded']),
  timestamp: z.iso.datetime(),
  apiVersion: z.string(),
  version: z.string(),
  checks: z.array(z.object({ name: z.string(), healthy: z.boolean(), latencyMs: z.number() })),
  warnings: z
    .array(z.object({ name: z.enum(['metadata', 'fields']), count: z.int() }))
    .describe(
      'Files of metadata, and of what zones want their fields to be, that git brought and that are left out',
    ),
})

/** `GET /api/health`. */
export const getHealth = operation({
  id: 'getHealth',
  plane: 'operations',
  method: 'get',
  path: '/api/health',
  summary: 'Whether the service works',
  access: 'public',
  envelope: 'standard',
  query: z.object({
    deep: z
      .string()
      .optional()
      .describe('`1` really uses each part; who asks within a few seconds shares what was found'),
  }),
  responses: {
    200: { description: 'Everything works', schema: healthReport },
    503: { description: 'Something does not', schema: healthReport },
  },
}).handledBy(
  ({ health, leftOut, version, now, chargeHealthCheck }: HealthDependencies) =>
    async ({ query, caller, respond }) => {
      const deep = query.deep === '1'
      if (deep) chargeHealthCheck?.(caller.ip)
      const { healthy, checks } = await health.check({ deep })
      const report = {
        status: healthy ? 'ok' : 'degraded',
        timestamp: now().toISOString(),
        apiVersion,
        version,
        // Reasons name paths and hosts, which not everybody need know.
        checks: checks.map(({ name, healthy: isWell, latencyMs }) => ({
          name,
          healthy: isWell,
          latencyMs,
        })),
        warnings: [...(leftOut?.warnings() ?? [])],
      } as const
      return respond(healthy ? 200 : 503, report, { 'Cache-Control': 'no-store' })
    },
)
