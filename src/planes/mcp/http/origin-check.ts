/** Pages of these origins may call; a program that is no browser sends none. */
export interface OriginRules {
  /** Where the service is, as configured. */
  readonly baseUrl: string | undefined
  readonly corsOrigins: ReadonlySet<string>
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u

/**
 * Whether a page may call. By its host name alone nothing is believed: a name of somebody else that leads here
 * would be the page's own origin (DNS rebinding).
 */
export function isOriginAllowed(request: Request, { baseUrl, corsOrigins }: OriginRules): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  if (corsOrigins.has(origin)) return true
  if (baseUrl !== undefined && new URL(baseUrl).origin === origin) return true
  return loopback.test(origin) && loopback.test(new URL(request.url).origin)
}

/** For a page that may. */
export const corsHeaders = (request: Request): Readonly<Record<string, string>> => {
  const origin = request.headers.get('origin')
  if (origin === null) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate',
    Vary: 'Origin',
  }
}

export const preflight = (request: Request): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request),
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID',
      'Access-Control-Max-Age': '600',
    },
  })
