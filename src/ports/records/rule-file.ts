export const ruleFileNames = ['_headers', '_redirects'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}
