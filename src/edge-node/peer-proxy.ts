import { type Replica, untilShown } from '../domain/edges/feed/replica.ts'
import { createOriginClient } from '../edge/cache/origin/origin-client.ts'
import { clientAddress, clientCountry, trustedProxies } from '../http/request/client-address.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'

/** By this field a node knows that another one has passed a request on, and which. */
export const forwardedField = 'sedge-node'
/** With it the node that writes says which number of the feed shows what it has just done. */
export const positionField = 'sedge-position'
/** Longer than a change takes; a response is not kept back by a feed that is away. */
const shownWithinMs = 1_000

/** Proxies to another node of a cluster. Its responses are not kept: they are as new here as they are there. */
export function openPeerProxy(
  { settings }: EdgeNodeWorld,
  replica: Pick<Replica, 'position' | 'feed'>,
  address: string,
) {
  const trusted = trustedProxies(settings.trustedProxies)
  const peers = new WeakMap<Request, string>()
  const peerOf = (request: Request) => peers.get(request) ?? ''
  const forward = createOriginClient({
    origin: settings.origin,
    keepsHost: true,
    clientAddressOf: (request) => clientAddress(request.headers, peerOf(request), trusted),
    country: {
      header: settings.countryHeader,
      of: (request) =>
        clientCountry(
          { headers: request.headers, peerAddress: peerOf(request) },
          { proxies: trusted, header: settings.countryHeader },
        ),
    },
    headers: { [forwardedField]: address },
  })
  return {
    /** Who has written something through this node sees it here from then on. */
    async fetch(request: Request, peerAddress: string) {
      peers.set(request, peerAddress)
      const response = await forward(request, request)
      const position = response.headers.get(positionField)
      response.headers.delete(positionField)
      if (position !== null) await untilShown(replica, Number(position), shownWithinMs)
      return response
    },
  }
}
