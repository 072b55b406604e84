import type { EmbeddedMember } from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { fieldTexts } from './terms.ts'

/** From the first moment on, and before the second. */
export interface Period {
  readonly from?: Date | undefined
  readonly before?: Date | undefined
}

/** What is known of assets besides their names. What is left out does not narrow. */
export interface AttributeFilter {
  /** All of them. */
  readonly tags?: readonly string[] | undefined
  /** One of the zone's own fields, by its value as text. */
  readonly field?: { readonly name: string; readonly value: string } | undefined
  /** Words of which a colour of the image has all; e.g. `blue`, `dark blue`. */
  readonly colour?: readonly string[] | undefined
  /** Whether the image goes beyond white. */
  readonly hdr?: boolean | undefined
  readonly created?: Period | undefined
  readonly changed?: Period | undefined
  readonly expires?: Period | undefined
  /** Whether its time is over at a moment. */
  readonly expired?: { readonly is: boolean; readonly at: Date } | undefined
  /** Members of which nobody has said any. */
  readonly missing?: readonly EmbeddedMember[] | undefined
}

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** What images look like as far as they have been looked at. */
export interface KnownColours {
  /** Differs after every change. */
  readonly version: number
  /** The names of those that there is much of. */
  namesOf(sha256: string): readonly string[]
  /** Whether it goes beyond white. */
  isHdr(sha256: string): boolean
  /** In pixels. */
  sizeOf(sha256: string): PixelSize | undefined
}

type Passes = (asset: AssetRecord) => boolean

/** Answers `undefined` where nothing is narrowed. */
export function attributesPass(filter: AttributeFilter, colours: KnownColours): Passes | undefined {
  const tests = [
    filter.tags && hasTags(filter.tags),
    filter.field && hasField(filter.field),
    filter.colour && hasColour(filter.colour, colours),
    filter.hdr !== undefined && isHdr(filter.hdr, colours),
    isWithin(filter.created, ({ createdAt }) => createdAt),
    isWithin(filter.changed, ({ changedAt }) => changedAt),
    isWithin(filter.expires, ({ metadata }) => metadata?.expiresAt),
    filter.expired && isExpired(filter.expired),
    filter.missing && isMissing(filter.missing),
  ].filter((test) => test !== undefined && test !== false)
  const [first, ...rest] = tests
  if (first === undefined) return undefined
  return rest.length === 0 ? first : (asset) => first(asset) && rest.every((test) => test(asset))
}

const isHdr =
  (wanted: boolean, colours: KnownColours): Passes =>
  ({ sha256 }) =>
    colours.isHdr(sha256) === wanted

const hasTags =
  (wanted: readonly string[]): Passes =>
  ({ metadata }) =>
    wanted.every((tag) => metadata?.tags?.includes(tag) === true)

const hasField =
  ({ name, value: wanted }: NonNullable<AttributeFilter['field']>): Passes =>
  ({ metadata }) => {
    const custom = metadata?.custom
    if (custom === undefined || !Object.hasOwn(custom, name)) return false
    return fieldTexts(custom[name] ?? null).includes(wanted)
  }

/** Decided once for all images of the same colours. */
function hasColour(words: readonly string[], colours: KnownColours): Passes {
  const verdicts = new Map<readonly string[], boolean>()
  const decide = (names: readonly string[]): boolean =>
    names.some((name) => {
      const parts = name.split(' ')
      return words.every((word) => parts.includes(word))
    })
  return ({ sha256 }) => {
    const names = colours.namesOf(sha256)
    const known = verdicts.get(names)
    if (known !== undefined) return known
    verdicts.set(names, decide(names))
    return decide(names)
  }
}

function isWithin(
  period: Period | undefined,
  momentOf: (asset: AssetRecord) => Date | undefined,
): Passes | undefined {
  if (period?.from === undefined && period?.before === undefined) return undefined
  const from = period.from?.getTime() ?? -Infinity
  const before = period.before?.getTime() ?? Infinity
  return (asset) => {
    const ms = momentOf(asset)?.getTime() ?? Number.NaN
    return ms >= from && ms < before
  }
}

const isExpired =
  ({ is, at }: NonNullable<AttributeFilter['expired']>): Passes =>
  ({ metadata }) =>
    (metadata?.expiresAt !== undefined && metadata.expiresAt <= at) === is

const isMissing =
  (members: readonly EmbeddedMember[]): Passes =>
  ({ metadata }) =>
    members.every((member) => metadata?.[member] === undefined)
