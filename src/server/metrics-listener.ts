import type { Config } from '../config/config.ts'

export interface MetricsListener {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Numbers for Prometheus, apart from everything else, on an address of its own: nobody needs a key
 * there. `/live` asks nothing and nobody else, so it says whether this very process responds,
 * whatever others do. `undefined` where nothing is measured.
 */
export function serveMetrics(
  { metricsPort: port, metricsHost: hostname }: Pick<Config, 'metricsPort' | 'metricsHost'>,
  render: () => Promise<string> | undefined,
): MetricsListener | undefined {
  if (port === undefined) return undefined
  const metrics = async () => {
    // Loaded with what is measured: a start without metrics has no need of it.
    const { prometheusContentType } = await import('prom-client')
    return new Response(await render(), { headers: { 'Content-Type': prometheusContentType } })
  }
  const server = Bun.serve({
    port,
    hostname,
    development: false,
    routes: { '/metrics': { GET: metrics }, '/live': { GET: () => new Response('live\n') } },
    fetch: () => new Response('There is GET /metrics and GET /live here\n', { status: 404 }),
  })
  return { url: `${server.url.href}metrics`, stop: () => server.stop(true) }
}
