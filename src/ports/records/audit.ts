/** Who did what, from where. Kept with the change that it tells of. */
export interface AuditRecord {
  readonly at: Date
  readonly action: string
  readonly actor: string
  readonly target: string
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
  readonly meta: Readonly<Record<string, unknown>>
}
