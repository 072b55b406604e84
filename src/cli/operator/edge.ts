import { type Command, exitCodes } from '../support/command.ts'
import { readEdgeSettings } from './edge-settings.ts'

const usage = `sedge edge --origin <url> --token <token> [options]
sedge edge --origin <url> [options]

With a token of a Sedge service (scope edges:sync) it runs as an edge of that
service: it follows what is published, keeps it, delivers it, and goes on where
the origin is away. Without one it runs a shared HTTP cache in front of any origin.

  --origin <url>       where to fetch from: the service, another edge, or any origin
  --token <token>      or EDGE_TOKEN, which other users of the machine cannot see
  --name <name>        what the origin knows the edge by (made at the first start)
  --host <address>     address to listen on (127.0.0.1)
  --port <number>      port to listen on (8789)
  --reuse-port         let several edges listen on one port (Linux)
  --memory <MiB>       room for answers in memory (256)
  --cache-dir <path>   keep larger and colder answers here; for an edge of a service,
                       all that it keeps (./edge-data)
  --disk <MiB>         room for them (4096)
  --keep-host          ask the origin by the client's Host instead of the origin's own
  --permitted          without a token: store all that RFC 9111 permits

An edge of a service heeds TLS_CERT_FILE, TLS_KEY_FILE, TLS_CERTIFICATES, HTTP_PORT,
HSTS_MAX_AGE, SECRETS_KEY, EDGE_KEYS_OVER_HTTP, BASE_URL, DASHBOARD_HOST, TRUSTED_PROXIES,
COUNTRY_HEADER, SIGNED_URL_SECRET, METRICS_PORT, METRICS_HOST and LOG_LEVEL as the service does.

Exit codes: 0 ended as asked, 1 could not run, 2 wrong use.`

export const edgeCommand: Command = {
  name: 'edge',
  summary: 'run an edge of a service, or a shared cache in front of any origin',
  usage,
  async run(args, terminal) {
    const settings = readEdgeSettings(args, terminal.environment)
    const { token } = settings
    // No other command waits until all that either needs is loaded.
    if (token !== undefined) {
      const { runEdgeNode } = await import('./edge-node.ts')
      return await runEdgeNode({ ...settings, token }, terminal)
    }
    const { out } = terminal
    const { openEdge } = await import('./cache-edge.ts')
    await using edge = await openEdge(settings)
    const ending = Promise.withResolvers<void>()
    process.once('SIGTERM', ending.resolve).once('SIGINT', ending.resolve)
    out.write(`${edge.url.href} in front of ${settings.origin.href}\n`)
    await ending.promise
    return exitCodes.ok
  },
}
