import { limitReached } from '../../../http/response/rate-limit-fields.ts'
import { networkOf } from '../../../lib/net/address-list.ts'
import type { Agent } from '../agent.ts'

/** How many responses are under way at once, for each credential and each network. */
export interface StreamBounds {
  /**
   * Counts what is sent as long as it goes on: until it ends, or nobody reads it any more. Throws
   * `limit_reached` before anything is begun.
   */
  hold(agent: Agent, begin: () => Promise<Response>): Promise<Response>
}

interface Bounds {
  /** As refusals name them, e.g. `streams`. */
  readonly name: string
  readonly perToken: number
  readonly perNetwork: number
  /** After which it is worth trying again. */
  readonly waitSeconds: number
}

/** What goes on until somebody hangs up, to hear of changes. */
export const listening: Bounds = {
  name: 'streams',
  perToken: 20,
  perNetwork: 50,
  waitSeconds: 60,
}

/**
 * What is answered and not yet read: a peer that stops reading holds a few MB for each, so that a token holds
 * less than 100 MB, and another one's calls go on.
 */
export const responding: Bounds = {
  name: 'responses',
  perToken: 20,
  perNetwork: 200,
  waitSeconds: 5,
}

export function createStreamBounds(bounds: Bounds): StreamBounds {
  const open = new Map<string, number>()
  const count = (key: string, by: number): void => {
    const left = (open.get(key) ?? 0) + by
    if (left > 0) open.set(key, left)
    else open.delete(key)
  }
  return {
    async hold({ credential, clientAddress }, begin) {
      const token = `token ${credential.id}`
      const network = `network ${networkOf(clientAddress)}`
      requireRoom(bounds, 'token', open.get(token))
      requireRoom(bounds, 'network', open.get(network))
      for (const key of [token, network]) count(key, 1)
      let hasEnded = false
      const end = (): void => {
        if (hasEnded) return
        hasEnded = true
        for (const key of [token, network]) count(key, -1)
      }
      try {
        return endingWith(await begin(), end)
      } catch (error) {
        end()
        throw error
      }
    },
  }
}

function requireRoom(
  { name, perToken, perNetwork, waitSeconds }: Bounds,
  of: 'token' | 'network',
  used = 0,
): void {
  const quota = of === 'token' ? perToken : perNetwork
  if (used < quota) return
  throw limitReached({
    name: `${name}-${of}`,
    quota,
    windowSeconds: waitSeconds,
    remaining: 0,
    resetSeconds: waitSeconds,
  })
}

/** The same response, which says when its body is over. */
function endingWith(response: Response, end: () => void): Response {
  const { body } = response
  if (body === null) {
    end()
    return response
  }
  const reader = body.getReader()
  // Nothing is taken before somebody wants it.
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      async cancel(reason) {
        end()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(watched, response)
}
