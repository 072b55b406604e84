export interface ZoneRecord {
  readonly name: string
  readonly createdAt: Date
  /** The commit that made it: what is older is of a former zone of its name. Not known of very old ones. */
  readonly commitId?: string
  readonly enabled: boolean
  readonly suspended: boolean
}

export const ruleFileNames = ['_headers', '_redirects'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}
