import type { S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import type { Caller } from './hostile-values.ts'
import type { Sendable } from './s3-signing.ts'

/** Where and as whom the owner of the ledgered files asks. */
export interface OwnerPlace {
  readonly origin: string
  readonly zone: string
  /** Of the ledgered files; paths are as S3 has them, without the zone and `v1`. */
  readonly directory: string
  readonly caller: Caller
  readonly credentials: () => S3Credentials
  readonly now: () => Date
  /** What nobody else may read; it stands beside each file. */
  readonly mark: string
  /** Names the id of an upload to those who would like to have it. */
  readonly onUpload: (id: string) => void
  readonly ask: (request: Sendable & { readonly method: string }) => Promise<Response>
}
