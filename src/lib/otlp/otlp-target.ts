export const otlpProtocols = ['http/protobuf', 'http/json'] as const

/** Where one signal goes, and how. Plain data. */
export interface OtlpTarget {
  readonly url: string
  /** May open something. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: (typeof otlpProtocols)[number]
  readonly isCompressed: boolean
  readonly timeoutMs: number
  /** Has the certificate of whoever signed the receiver's, in PEM; absent: those that the system trusts. */
  readonly authorityFile?: string
}
