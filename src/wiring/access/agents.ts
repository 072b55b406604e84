import type { McpService } from '../../planes/mcp/http/mcp-service.ts'
import type { World } from '../world.ts'
import type { openMcpService } from './mcp-service.ts'

type Opened = Parameters<typeof openMcpService>[1]

/**
 * The interface for agents, in front of the one for programs. Its library takes a tenth of a service's memory
 * and of its start, so it is loaded when the first agent comes.
 */
export function openMcp(world: World, opened: Opened): McpService {
  let loading: Promise<McpService> | undefined
  let keepOpen: Parameters<McpService['keepOpenWith']>[0] | undefined
  const load = async () => {
    const { openMcpService: open } = await import('./mcp-service.ts')
    const service = open(world, opened)
    if (keepOpen !== undefined) service.keepOpenWith(keepOpen)
    return service
  }
  return {
    fetch: async (...asked) => await (await (loading ??= load())).fetch(...asked),
    keepOpenWith: (keep) => void (keepOpen = keep),
    closeAll: () => void loading?.then((service) => service.closeAll()),
  }
}
