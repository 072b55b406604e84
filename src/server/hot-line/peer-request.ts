import { DirectRequest } from '../../http/wire/held-response.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import type { Peer } from '../connections.ts'

/** A request that the service is asked to respond to without the full server between them. */
export class PeerRequest extends DirectRequest {
  readonly peer: Peer
  readonly #ending: AbortController

  constructor({ url, method, headers }: RequestHead, peer: Peer) {
    const ending = new AbortController()
    super(url, { method, headers, signal: ending.signal })
    this.peer = peer
    this.#ending = ending
  }

  /** The client is gone. */
  breakOff(): void {
    this.#ending.abort()
  }
}

/** Paths of the interface of which there is one reading: nothing in them is decoded, resolved or left out. */
const plainUrl =
  /^http:\/\/[^/]+\/(?:api|iiif\/3|s3)(?:\/[\w~-][\w.~-]*)+\/?(?:\?[\w.~%&=+,:;/?@!*()$-]*)?$/u

/** `undefined` where the URL might be read in two ways, or more than the interface is concerned. */
export function peerRequestOf(head: RequestHead, peer: Peer): PeerRequest | undefined {
  if (head.method !== 'GET' || !plainUrl.test(head.url) || !URL.canParse(head.url)) return undefined
  return new PeerRequest(head, peer)
}
