export const sslStatuses = ['provisioning', 'active', 'failed', 'renewing', 'expired'] as const
export type SslStatus = (typeof sslStatuses)[number]

/** A host name of a zone's own. `hostname` is an A-label in lower case. */
export interface DomainRecord {
  readonly hostname: string
  readonly zone: string
  readonly sslStatus: SslStatus
  /** What is wrong and what to set, while `sslStatus` is `failed` or waits for something. */
  readonly sslError: string | undefined
  /** Whether who comes by http is sent to https, once there is a certificate. */
  readonly redirectsToHttps: boolean
  /** Until when the certificate is good; `undefined` where the service has none for it. */
  readonly certificateExpiresAt: Date | undefined
  /** When it is looked at again. */
  readonly nextCheckAt: Date
  /** Whether it is known that the name is the zone's to use. Until then it is a claim, and nothing is served. */
  readonly isProven: boolean
  /** How many tries at the authority failed since the last that did not. */
  readonly failures: number
  /** Former changes of status or error, oldest first, the newest {@link keptChanges} of them. */
  readonly history: readonly SslChange[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface SslChange {
  readonly at: Date
  readonly sslStatus: SslStatus
  readonly sslError: string | undefined
}

export const keptChanges = 20
