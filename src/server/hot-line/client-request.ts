import type { RequestHead } from '../../http/wire/request-head.ts'
import type { WireRequest } from '../../http/wire/wire-response.ts'
import type { Peer } from '../connections.ts'

/** A request that came over such a connection. */
export class ClientRequest implements WireRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly peer: Peer
  readonly takesFiles: boolean
  #ending: AbortController | undefined

  constructor({ url, method, headers }: RequestHead, peer: Peer, takesFiles: boolean) {
    this.url = url
    this.method = method
    this.headers = headers
    this.peer = peer
    this.takesFiles = takesFiles
  }

  get signal(): AbortSignal {
    return (this.#ending ??= new AbortController()).signal
  }

  breakOff(): void {
    this.#ending?.abort()
  }
}
