/** Who may ask for what a zone had: everybody, whoever has a signature for it, or nobody. */
export const historySettings = ['public', 'signed', 'off'] as const
export type HistorySetting = (typeof historySettings)[number]

/** What everybody may have made of images, from all to nothing: whatever is asked for, what has a name, what is signed. */
export const transformModes = ['open', 'named-only', 'signed'] as const
export type TransformMode = (typeof transformModes)[number]

/** What an image that is made keeps of what its file says of it, from nothing to all. */
export const metadataPolicies = ['none', 'copyright', 'all'] as const
export type MetadataPolicy = (typeof metadataPolicies)[number]

/** Whether a model looks at its images, and what it sees is suggested, or said where nobody says anything. */
export const visionSettings = ['off', 'suggest', 'apply'] as const
export type VisionSetting = (typeof visionSettings)[number]

/** What comes of images that are not fit to be seen by everybody: nothing, a mark, or that no preview with them is promoted. */
export const moderationSettings = ['off', 'flag', 'hold'] as const
export type ModerationSetting = (typeof moderationSettings)[number]

/** What is delivered while a zone has used up what it may: no new variants, or nothing. */
export const boundDeliveries = ['degraded', 'cut'] as const
export type BoundDelivery = (typeof boundDeliveries)[number]

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
  /** The text of its own `_headers`. */
  readonly headers?: string
  /** The text of its own `_redirects`. */
  readonly redirects?: string
  /** Left out where it is `open`. */
  readonly transformMode?: Exclude<TransformMode, 'open'>
  /** For so many seconds its files and images may be used without asking; left out, as by default. */
  readonly cacheSeconds?: number
  /** What images made of its own keep of what their files say of themselves; left out, as by default. */
  readonly metadataPolicy?: MetadataPolicy
  /** Left out where it is `suggest`. */
  readonly vision?: Exclude<VisionSetting, 'suggest'>
  /** Left out where it is `off`. */
  readonly moderation?: Exclude<ModerationSetting, 'off'>
  /** That its images are described in (BCP 47), the most important first; left out, English alone. */
  readonly languages?: readonly string[]
  /** Left out where all is delivered. No file says it: it comes of what the zone has used this month. */
  readonly delivery?: BoundDelivery
}

export const ruleFileNames = ['_headers', '_redirects', '_transforms'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

/** Where the record of a zone has the text of each rule file of its own. */
export const ownRuleMembers = {
  _headers: 'headers',
  _redirects: 'redirects',
  _transforms: 'transforms',
} as const satisfies Readonly<Record<RuleFileName, keyof ZoneRecord>>

/** The texts of a zone's own rule files; what is not there is left out. */
export type OwnRuleTexts = Pick<ZoneRecord, (typeof ownRuleMembers)[RuleFileName]>

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}
