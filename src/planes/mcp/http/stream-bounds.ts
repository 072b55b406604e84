import { limitReached } from '../../../http/response/rate-limit-fields.ts'
import { networkOf } from '../../../lib/net/address-list.ts'
import type { Agent } from '../agent.ts'

/** How many streams are held open to hear of changes, for each credential and each network. */
export interface StreamBounds {
  /**
   * Counts what is sent as long as it goes on: until it ends, or nobody reads it any more. Throws
   * `limit_reached` before anything is begun.
   */
  hold(agent: Agent, begin: () => Promise<Response>): Promise<Response>
}

const perToken = 20
const perNetwork = 50

export function createStreamBounds(): StreamBounds {
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
      requireRoom('streams-token', open.get(token), perToken)
      requireRoom('streams-network', open.get(network), perNetwork)
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

function requireRoom(name: string, used: number | undefined, quota: number): void {
  if ((used ?? 0) >= quota)
    throw limitReached({ name, quota, windowSeconds: 60, remaining: 0, resetSeconds: 60 })
}

/** The same response, which says when its body is over. */
function endingWith(response: Response, end: () => void): Response {
  const { body } = response
  if (body === null) {
    end()
    return response
  }
  const reader = body.getReader()
  const watched = new ReadableStream<Uint8Array>({
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
  })
  return new Response(watched, response)
}
