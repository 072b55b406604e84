/** Who may ask for what a zone had: everybody, whoever has a signature for it, or nobody. */
export const historySettings = ['public', 'signed', 'off'] as const
export type HistorySetting = (typeof historySettings)[number]

/** What everybody may have made of images, from all to nothing: whatever is asked for, what has a name, what is signed. */
export const transformModes = ['open', 'named-only', 'signed'] as const
export type TransformMode = (typeof transformModes)[number]

export interface ZoneRecord {
  readonly name: string
  readonly createdAt: Date
  /** The commit that made it: what is older is of a former zone of its name. Not known of very old ones. */
  readonly commitId?: string
  readonly enabled: boolean
  readonly suspended: boolean
  /** Left out where it is `off`. */
  readonly history?: Exclude<HistorySetting, 'off'>
  /** For so many days at least it keeps what was replaced or deleted; left out, for ever. */
  readonly historyDays?: number
  /** Versions that had ended before this have been let go. Left out where none has. */
  readonly historySince?: Date
  /** What its assets' own fields may be: the text of a file that may be a JSON Schema, or not. */
  readonly fields?: string
  /** The text of its own `_transforms`. */
  readonly transforms?: string
  /** Left out where it is `open`. */
  readonly transformMode?: Exclude<TransformMode, 'open'>
}

export const ruleFileNames = ['_headers', '_redirects', '_transforms'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}
