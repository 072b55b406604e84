/** Who may ask for what a zone had: everybody, whoever has a signature for it, or nobody. */
export const historySettings = ['public', 'signed', 'off'] as const
export type HistorySetting = (typeof historySettings)[number]

export interface ZoneRecord {
  readonly name: string
  readonly createdAt: Date
  /** The commit that made it: what is older is of a former zone of its name. Not known of very old ones. */
  readonly commitId?: string
  readonly enabled: boolean
  readonly suspended: boolean
  /** Left out where it is `off`. */
  readonly history?: Exclude<HistorySetting, 'off'>
  /** What its assets' own fields may be: the text of a file that may be a JSON Schema, or not. */
  readonly fields?: string
}

export const ruleFileNames = ['_headers', '_redirects'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}
