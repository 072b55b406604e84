import { UsageError } from '../support/command.ts'
import type { Connection } from '../support/connection.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'
import { createBridge } from './bridge.ts'
import { linesOf } from './stream-lines.ts'

export const mcpCommand = serviceCommand({
  name: 'mcp',
  summary: 'serve an assistant on this machine (MCP over stdin and stdout)',
  usage: `sedge mcp

For programs that start their tools themselves. Messages of the Model Context Protocol go from
stdin to /mcp of the service, and back to stdout. The assistant may do what the token may;
make one for it: sedge token create.

${commonUsage}

${commonExitCodes}`,
  options: {},
  plan({ positionals }) {
    if (positionals.length > 0) throw new UsageError('sedge mcp takes no other words')
    return async ({ connection, terminal }) => {
      const bridge = createBridge({
        url: new URL('/mcp', connection.url).href,
        headers: headersOf(connection),
        send: (line) => void terminal.out.write(`${line}\n`),
        fetch: (url, init) => fetch(url, init),
      })
      const taken = new Set<Promise<void>>()
      for await (const line of linesOf(terminal.input ?? process.stdin)) {
        const one = bridge.take(line).finally(() => taken.delete(one))
        taken.add(one)
        // What begins a session is over before what belongs to it.
        if (line.includes('"initialize"')) await one
      }
      await bridge.close()
      await Promise.all(taken)
    }
  },
})

function headersOf({
  token,
  accessKey,
  accountKey,
  purgeKey,
}: Connection): Readonly<Record<string, string>> {
  if (token !== undefined) return { Authorization: `Bearer ${token}` }
  return {
    ...(accessKey !== undefined && { AccessKey: accessKey }),
    ...(accountKey !== undefined && { AccountKey: accountKey }),
    ...(purgeKey !== undefined && { 'x-api-key': purgeKey }),
  }
}
