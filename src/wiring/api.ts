import type { ObservedResponse } from '../http/observed/observed-response.ts'
import { type App, createApp } from '../http/app.ts'
import type { Positions } from '../http/position.ts'
import { getOpenApiDocument } from '../http/openapi/openapi.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import { createResponseCheck } from '../http/response-check.ts'
import { allOperations, planeDescriptions } from '../planes/operations.ts'
import { webhookDescriptions } from '../planes/webhooks/event-schemas.ts'
import { createEndpoints, type Opened } from './endpoints.ts'
import type { World } from './world.ts'

interface Parts extends Opened {
  readonly onResponse: (answered: ObservedResponse) => void
}

const described = {
  operations: allOperations,
  webhooks: webhookDescriptions,
  planes: planeDescriptions,
}

/** Everything below `/api/`. */
export function createApi(world: World, parts: Parts): App {
  const { config, log, now, newId, underWay } = world
  const { access, limits, uploading, onResponse } = parts
  return createApp({
    endpoints: [...createEndpoints(world, parts), getOpenApiDocument.endpoint(described)],
    authenticate: access.authenticate,
    guesses: access.guesses,
    findGrant: uploading.findGrant,
    rateLimits: limits.rates,
    positions: positionsOf(parts),
    trustedProxies: trustedProxies(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    now,
    newId,
    log,
    underWay,
    ...(config.checksResponses && { responseCheck: createResponseCheck(log) }),
    onResponse,
  })
}

/** Whoever writes shows everything. */
const positionsOf = ({ edges }: Opened): Positions => ({
  behindMs: 0,
  get newest() {
    return edges.operations.changes.position.seq
  },
})
