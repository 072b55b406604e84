import { randomBytes } from 'node:crypto'

import type { App } from '../../http/app.ts'
import { slowGuesses } from '../../http/access/key-guesses.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { createCallBounds } from '../../planes/mcp/http/call-bounds.ts'
import { createMcpService, type McpService } from '../../planes/mcp/http/mcp-service.ts'
import { createMcpServer } from '../../planes/mcp/mcp-server.ts'
import { createConfirmations } from '../../planes/mcp/tools/confirmation.ts'
import type { Access } from './access.ts'
import type { Limits } from './limits.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly app: App
  readonly access: Access
  readonly limits: Limits
}

/** As {@link openMcp} has it, with the library that it is made on. */
export function openMcpService(
  { config, now, newId, log }: World,
  { app, access, limits }: Opened,
): McpService {
  const offered = {
    send: (request: Request, peerAddress: string) => app.fetch(request, peerAddress),
    confirmations: createConfirmations(randomBytes(32), now),
    version: config.version,
  }
  return createMcpService({
    openServer: (of) => createMcpServer(of, offered),
    authenticate: slowGuesses(access.authenticate, access.guesses),
    calls: createCallBounds(config.agentCallsPerMinute, now),
    rateLimits: limits.rates,
    trustedProxies: trustedProxies(config.trustedProxies),
    baseUrl: config.baseUrl,
    corsOrigins: config.corsOrigins,
    now,
    newId,
    log,
  })
}
