/** What the system knows of how much has left over the connections of this machine. */
export interface SentBytes extends Disposable {
  /** `undefined` where there is none, or nothing is told of it. Names the one that is open now. */
  connection(ends: ConnectionEnds): SentConnection | undefined
}

/** A TCP connection, as this side sees it. */
export interface ConnectionEnds {
  readonly localPort: number
  /** IPv4, IPv6, or IPv4 written as IPv6. */
  readonly peerAddress: string
  readonly peerPort: number
  /** Where this process itself holds it: then it is asked directly, which takes a fraction of the time. */
  readonly socket?: OwnSocket | undefined
}

export interface OwnSocket {
  /** `undefined` from the moment on at which it is closed: its number is another's by then. */
  readonly descriptor: number | undefined
}

/** Dispose of it once nobody wants to know any more. */
export interface SentConnection extends Disposable {
  /** The same whenever this connection is asked for, and no other's. */
  readonly id: string
  /**
   * Once it is closed, what it had sent by then, and `undefined` until, or where, that is not told. Never
   * about another connection that has the same ends by then. Never waits.
   */
  measure(): SentSoFar | undefined
}

export interface SentSoFar {
  /** Since the connection began, without what was sent again. Never becomes less. */
  readonly sentBytes: number
  /** Handed to the system, and not sent yet. */
  readonly waitingBytes: number
  readonly isOpen: boolean
}
