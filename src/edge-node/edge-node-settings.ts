import type { Log } from '../lib/log.ts'
import type { Secret } from '../lib/secrets/secret.ts'
import type { TransformMode } from '../ports/records/zone.ts'
import type { World } from '../wiring/world.ts'

/** All that an edge elsewhere is told from outside. */
export interface EdgeNodeSettings {
  /** The service, or another edge in between, at this moment. Throws where there is none. */
  readonly origin: () => URL
  readonly token: Secret
  /** How long it waits at most before it tries a lost origin again. */
  readonly maxPauseMs: number
  /** What the origin knows it by. */
  readonly name: string
  /** Where it keeps what it knows and has. Nobody else's. */
  readonly directory: string
  /** Room for blobs, and for what is made of them. */
  readonly diskBytes: number
  readonly memoryBytes: number
  /** Whether what is handed to the origin is asked for by the client's Host. */
  readonly keepsHost: boolean
  readonly baseUrl: string | undefined
  readonly dashboardHost: string | undefined
  /** The host name that is S3's own, where the node is told; below `/s3` it is anyway. */
  readonly s3Host?: string | undefined
  readonly previewHost?: string | undefined
  readonly trustedProxies: readonly string[]
  readonly countryHeader: string
  /** Without it whatever is signed is handed to the origin. */
  readonly signedUrlSecret: Secret | undefined
  readonly previousSignedUrlSecret: Secret | undefined
  readonly signedUrlMaxAgeSeconds: number
  /** Files of former commits that one network may have looked up in a minute. */
  readonly historyPerMinute: number
  /** What everybody may have made of images, where a zone is not stricter. */
  readonly transformMode: TransformMode
  /** What one image may cost, in milliseconds of a processor. */
  readonly transformMaxMs: number
  /** What signs the cookies of operators, where that is known: what the dashboard asks for is not counted. */
  readonly sessionSecrets: readonly Secret[]
  /** What encrypts keys of certificates on the disk, the newest first. */
  readonly secretsKeys: readonly Secret[]
  readonly edgeKeysOverHttp: boolean
  /** Whether it does TLS for custom domains, and so has to have their keys. */
  readonly hasTls: boolean
  readonly isMeasured: boolean
  /** For tests: whether each response is held against what its operation declares. */
  readonly checksResponses: boolean
  readonly version: string
}

export interface EdgeNodeWorld extends Pick<
  World,
  'now' | 'newId' | 'monotonicMs' | 'onFatal' | 'connections' | 'telemetry' | 'underWay'
> {
  readonly settings: EdgeNodeSettings
  readonly log: Log
}
