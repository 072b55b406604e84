import { z } from 'zod'

import { requireAllZones } from '../../../domain/access/actor.ts'
import { type Fact, partNames, type PartReport, partStates } from '../../../domain/health/parts.ts'
import { operation } from '../../../http/operation.ts'

export interface HealthPartsDependencies {
  readonly parts: () => Promise<readonly PartReport[]>
  readonly now: () => Date
}

const fact = z.object({
  Name: z.string(),
  Value: z.union([z.number(), z.string()]),
  Unit: z.enum(['bytes', 'milliseconds', 'time']).nullable(),
})

const part = z.object({
  Name: z.enum(partNames),
  State: z.enum(partStates).describe('`off`: it is not set up'),
  DateSince: z.iso.datetime().describe('Since when it is known to be so'),
  DateChecked: z.iso.datetime(),
  LatencyMs: z.number().nullable().describe('How long its checks took'),
  Details: z.array(z.string()).describe('What is wrong'),
  Facts: z.array(fact),
  Documentation: z.string().describe('What to do, from the root of the service'),
})

const health = z.object({
  Status: z.enum(['healthy', 'degraded', 'failing']).describe('The worst of all'),
  Parts: z.array(part),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/core/health`. */
export const getHealthParts = operation({
  id: 'getHealthParts',
  plane: 'core',
  method: 'get',
  path: '/api/core/health',
  summary: 'How each part of the service is, and why',
  description:
    '`GET /api/health` says whether the service works, to everybody; this says how each part is, since when, and what to do, to operators. Who asks within ten seconds shares what was found.',
  access: { keys: ['account'], scope: 'health:read', session: true },
  envelope: 'standard',
  responses: { 200: { description: 'Part by part', schema: health } },
}).handledBy(({ parts, now }: HealthPartsDependencies) => async ({ caller, respond }) => {
  requireAllZones(caller)
  const all = await parts()
  const states = new Set(all.map(({ state }) => state))
  const worst = (['failing', 'degraded'] as const).find((state) => states.has(state))
  return respond(200, {
    Status: worst ?? 'healthy',
    Parts: all.map(partJson),
    DateFetched: now().toISOString(),
  })
})

const partJson = (report: PartReport): z.infer<typeof part> => ({
  Name: report.name,
  State: report.state,
  DateSince: report.since.toISOString(),
  DateChecked: report.checkedAt.toISOString(),
  LatencyMs: report.latencyMs ?? null,
  Details: [...report.details],
  Facts: report.facts.map(factJson),
  Documentation: `/docs/notifications#${report.name}`,
})

const factJson = ({ name, value, unit }: Fact): z.infer<typeof fact> => ({
  Name: name,
  Value: value instanceof Date ? value.toISOString() : value,
  Unit: value instanceof Date ? 'time' : (unit ?? null),
})
