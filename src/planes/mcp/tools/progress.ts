import type { ServerContext } from '@modelcontextprotocol/server'

const everyMs = 2000

/** Tells a client that wants to know that work goes on, once at the beginning and then every two seconds. */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return await work()
  let progress = 0
  const tell = (message: string): void => {
    const params = { progressToken, progress, message }
    progress += 1
    // Whoever has left need not be told.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  tell(`${what}: begun`)
  const timer = setInterval(() => tell(`${what}: under way`), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    tell(`${what}: done`)
  }
}
