import type { RespondOnWire } from '../../http/wire/wire-response.ts'
import type { Calm } from '../../lib/async/calm.ts'

type Fetch = (request: Request, peerAddress: string) => Response | Promise<Response>

interface Responders {
  readonly fetch: Fetch
  readonly respondOnWire: RespondOnWire
}

/** The same, and what nobody waits for gives way meanwhile. */
export const notingAsks = (
  calm: Pick<Calm, 'ask'>,
  { fetch, respondOnWire }: Responders,
): Responders => ({
  fetch(request, peerAddress) {
    calm.ask()
    return fetch(request, peerAddress)
  },
  respondOnWire(request, peerAddress) {
    calm.ask()
    return respondOnWire(request, peerAddress)
  },
})
