import type { Replica } from '../domain/edges/feed/replica.ts'
import { untilShown } from '../domain/edges/feed/until-shown.ts'
import { createOriginClient } from '../edge/cache/origin/origin-client.ts'
import { clientAddress, clientCountry, trustedProxies } from '../http/request/client-address.ts'
import { forwardedField, positionField } from '../cluster/node-fields.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'

/** Longer than a change takes; an answer is not kept back by a feed that is away. */
const shownWithinMs = 1_000

/** A node of a cluster keeps no answers of another one: they are as new here as they are there. */
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
