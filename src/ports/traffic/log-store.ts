/** What happened, for the operator to read later. Not the log itself: only what is worth keeping. */
export interface LogStore {
  /**
   * Keeps the records, and of each level at most the newest {@link maxLogRecords}: what anybody can
   * cause (refusals) pushes no warning and no error out.
   */
  append(records: readonly LogRecord[]): Promise<void>
  /** Newest first; of one moment, the last written first. `since` itself is included. */
  query(query: LogQuery): Promise<readonly LogRecord[]>
  /** Forgets what is older. Answers how many records that was. */
  forgetBefore(time: Date): Promise<number>
}

export const maxLogRecords = 20_000
export const keptLogDays = 7

export type LogRecordLevel = 'info' | 'warn' | 'error'

export interface LogRecord {
  readonly at: Date
  readonly level: LogRecordLevel
  /** The code of a refusal or fault, where it has one. */
  readonly code: string | undefined
  readonly message: string
  readonly requestId: string | undefined
  /** The tenant it is about, where it is about one. */
  readonly zone: string | undefined
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

export interface LogQuery {
  readonly since: Date
  /** Exactly this level, where given. */
  readonly level?: LogRecordLevel
  /** Only what is about one of these, where given. */
  readonly zones?: ReadonlySet<string>
  readonly limit: number
}
