import type { McpServer } from '@modelcontextprotocol/server'

import { agentOf } from './agent.ts'
import { completePath, completeZone } from './completions.ts'
import type { Send } from './invoke/perform.ts'

/** Zones and paths while they are typed, of resources; and zones of prompts. */
export function registerCompletions({ server }: McpServer, send: Send): void {
  server.setRequestHandler('completion/complete', async ({ params }, { http, mcpReq }) => {
    const asking = { agent: agentOf(http?.authInfo), send, signal: mcpReq.signal }
    const { name, value } = params.argument
    const zone = params.context?.arguments?.['zone']
    if (name === 'zone') return found(await completeZone(value, asking))
    if (name === 'path' && params.ref.type === 'ref/resource')
      return found(await completePath(value, zone, asking))
    return found([])
  })
}

const found = (values: string[]) => ({ completion: { values, hasMore: false } })
