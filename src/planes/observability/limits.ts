import { zoneNotFound } from '../../domain/errors.ts'
import { z } from 'zod'

import { requireZone } from '../../domain/access/actor.ts'
import type { LimitBook, LimitState } from '../../domain/access/quotas/limit-book.ts'
import { type Caller, operation } from '../../http/operation.ts'
import type { RateLimitState } from '../../http/response/rate-limit-fields.ts'
import type { RateLimits } from '../../http/access/rate-limits.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

export interface LimitsDependencies {
  readonly limitBook: LimitBook
  readonly rateLimits: Pick<RateLimits, 'states' | 'statesOfZone'>
  readonly published: Pick<Manifest, 'zone'>
  readonly now: () => Date
}

const limit = z.object({
  Name: z.string(),
  Scope: z.enum(['all', 'zone', 'network']),
  Zone: z.string().nullable(),
  Setting: z.string().describe('The environment variable that changes it'),
  Window: z
    .enum(['minute', 'day', 'month'])
    .nullable()
    .describe('Null where it does not come back'),
  Limit: z.int(),
  Reserved: z
    .int()
    .nullable()
    .describe('What credentials for all zones may have beyond it; null: nothing holds them'),
  Used: z.int().describe('Of a network that of whoever asks'),
  Remaining: z.int(),
  Resets: z.iso.datetime().nullable(),
})

const limitList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Limits: z.array(limit),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/limits`. */
export const getLimits = operation({
  id: 'getLimits',
  plane: 'operations',
  method: 'get',
  path: '/api/limits',
  summary: 'What is bounded, and what is left of it',
  example: { query: { zone: 'acme' } },
  description:
    'A token for some zones is shown what these have, and what its own network has. The others are shown what all have together as well, and with `zone` what that one has.',
  access: { keys: ['access', 'account'], scope: 'insights:read', session: true },
  envelope: 'standard',
  query: z.object({ zone: z.string().optional().describe('Exactly this zone') }),
  responses: { 200: { description: 'Each with its setting', schema: limitList } },
}).handledBy((dependencies: LimitsDependencies) => async ({ query: { zone }, caller, respond }) => {
  const { limitBook, rateLimits, now } = dependencies
  const zones = zonesFor(zone, caller, dependencies)
  const ofZones = await Promise.all(zones.map((each) => limitBook.ofZone(each)))
  const ofAll = caller.zones === undefined ? await limitBook.ofAll() : []
  const ofNetwork = await limitBook.ofNetwork(caller.ip)
  const at = now()
  const limits = [
    ...ofAll.map((state) => limitJson(state, 'all')),
    ...ofZones.flat().map((state) => limitJson(state, 'zone')),
    ...ofNetwork.map((state) => limitJson(state, 'network')),
    ...zones.flatMap((each) =>
      rateLimits.statesOfZone(each).map((state) => rateJson(state, at, each)),
    ),
    ...rateLimits.states(caller.ip).map((state) => rateJson(state, at)),
  ]
  return respond(200, {
    HttpCode: 200,
    Message: `${limits.length} limits`,
    Limits: limits,
    DateFetched: at.toISOString(),
  })
})

function zonesFor(
  zone: string | undefined,
  caller: Caller,
  { published }: LimitsDependencies,
): readonly string[] {
  if (zone === undefined) return [...(caller.zones ?? [])].toSorted()
  requireZone(caller, zone)
  if (!published.zone(zone)) throw zoneNotFound(zone)
  return [zone]
}

type Scope = z.infer<typeof limit>['Scope']

const limitJson = (state: LimitState, scope: Scope): z.infer<typeof limit> => ({
  Name: state.name,
  Scope: scope,
  Zone: state.zone ?? null,
  Setting: state.setting,
  Window: state.window ?? null,
  Limit: state.limit,
  Reserved: state.reserved ?? null,
  Used: state.used,
  Remaining: Math.max(0, state.limit - state.used),
  Resets: state.resetsAt?.toISOString() ?? null,
})

/** Each row of the rates by its name, as it is called here. */
const ratesByName: Readonly<Record<string, { readonly name: string; readonly setting: string }>> = {
  search: { name: 'searches', setting: 'SEARCHES_PER_MINUTE' },
  passkeys: { name: 'passkey calls', setting: 'PASSKEY_CALLS_PER_MINUTE' },
  health: { name: 'health-checks', setting: 'HEALTH_CHECKS_PER_MINUTE' },
  beacon: { name: 'beacons', setting: 'BEACONS_PER_MINUTE' },
  chat: { name: 'chats', setting: 'CHATS_PER_MINUTE' },
  'chat-day': { name: 'chats', setting: 'CHATS_PER_DAY' },
  transform: { name: 'transforms', setting: 'TRANSFORMS_PER_MINUTE' },
  history: { name: 'looked-up files of former commits', setting: 'HISTORY_PER_MINUTE' },
  agents: { name: 'calls of agents', setting: 'AGENT_CALLS_PER_MINUTE' },
  push: { name: 'pushes', setting: 'PUSHES_PER_MINUTE' },
  'push-kb': { name: 'pushed kilobytes', setting: 'PUSH_MB_PER_DAY' },
  'push-zone': { name: 'pushes', setting: 'PUSHES_PER_ZONE' },
  'push-kb-zone': { name: 'pushed kilobytes', setting: 'PUSH_MB_PER_DAY' },
  'upload-grant': { name: 'requests with upload grants', setting: 'GRANT_REQUESTS_PER_MINUTE' },
}

function rateJson(state: RateLimitState, at: Date, zone?: string): z.infer<typeof limit> {
  const { name, setting } = ratesByName[state.name] ?? { name: state.name, setting: '' }
  return {
    Name: name,
    Scope: zone === undefined ? 'network' : 'zone',
    Zone: zone ?? null,
    Setting: setting,
    Window: state.windowSeconds === 60 ? 'minute' : 'day',
    Limit: state.quota,
    Reserved: 0,
    Used: state.quota - state.remaining,
    Remaining: state.remaining,
    Resets: new Date(at.getTime() + state.resetSeconds * 1000).toISOString(),
  }
}
