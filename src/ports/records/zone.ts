export interface ZoneRecord {
  readonly name: string
  readonly createdAt: Date
  /** The commit that made it: what is older is of a former zone of its name. Not known of very old ones. */
  readonly commitId?: string
  readonly enabled: boolean
  readonly suspended: boolean
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
