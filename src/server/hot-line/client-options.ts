import type { FileSender } from '../../adapters/linux/send-file.ts'
import type { RespondOnWire } from '../../http/wire/wire-response.ts'
import type { InnerConnections } from './inner-connections.ts'
import type { PeerRequest } from './peer-request.ts'
import type { KnownFields } from './request-heads.ts'

/** Has the service respond to what is not at hand. */
export type RespondHere = (request: PeerRequest, peerAddress: string) => Promise<Response>

export interface ClientOptions {
  readonly respond: RespondOnWire
  readonly respondHere: RespondHere
  readonly inner: InnerConnections
  readonly fields: KnownFields
  /** Absent where files cannot be sent from where they are. */
  readonly fileSender: FileSender | undefined
  /** Seconds since 1970. */
  readonly second: () => number
}

export interface ClientSocket extends Pick<
  Bun.Socket<unknown>,
  'write' | 'end' | 'terminate' | 'pause' | 'resume'
> {
  /** The descriptor, which Bun's types do not tell of. */
  readonly fd: number
}
