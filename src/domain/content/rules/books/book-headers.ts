import {
  applyBlocks,
  type AppliedBlock,
  type FieldList,
  type MatchedBlock,
} from '../headers/header-rules.ts'
import { guardedOnOwnHost, isWithheldFromZones } from '../headers/own-host-fields.ts'
import { asksToSanitise, sanitiseField } from '../headers/sanitise-rule.ts'
import { inZone, type RuledUrl } from './ruled-url.ts'
import type { RuleBook } from './rule-books.ts'

/** Whether any `_headers` file says anything of URLs of the book. */
export const hasHeaderRules = ({ headers, own }: RuleBook): boolean =>
  headers.blocks.length > 0 || (own !== undefined && own.headers.blocks.length > 0)

/** The fields of a response after the rules of all zones, those of its zone, and what no rule may change. */
export function applyHeaderRules(book: RuleBook, url: RuledUrl, fields: FieldList): FieldList {
  if (!hasHeaderRules(book)) return fields
  const { ruled } = applyBoth(book, url, fields)
  return url.isOwnHost ? guardedOnOwnHost(ruled) : ruled
}

/** A block of a zone's own rules, and the fields in it that do not count there. */
export interface OverruledBlock extends MatchedBlock {
  readonly overruled: readonly string[]
}

/** The same before what is guarded, with what became of the zone's own blocks. */
export function applyBoth(
  { headers, own }: RuleBook,
  url: RuledUrl,
  fields: FieldList,
): { readonly ruled: FieldList; readonly ownBlocks: readonly OverruledBlock[] } {
  const matched = headers.matching(url)
  const ruled = applyBlocks(matched, fields)
  const owns = own?.headers.matching(inZone(url, own.zone)) ?? []
  if (owns.length === 0) return { ruled, ownBlocks: [] }
  const settled = new Set(matched.flatMap(({ block }) => [...block.unset, ...block.set.keys()]))
  const limits = { settled, isOwnHost: url.isOwnHost }
  return {
    ruled: applyBlocks(
      owns.map((each) => permitted(each, limits)),
      ruled,
      settled,
    ),
    ownBlocks: owns.map((each) => ({ ...each, overruled: overruledIn(each, limits) })),
  }
}

/**
 * Fields of which each value stands for itself, so that one more takes nothing from what another says:
 * every policy is enforced (CSP3 §3.1), every tag purges, the most restrictive of robots' rules holds.
 */
const addableFields: ReadonlySet<string> = new Set([
  'cache-tag',
  'content-security-policy',
  'link',
  'server-timing',
  'set-cookie',
  'surrogate-key',
  'vary',
  'x-robots-tag',
  sanitiseField,
])

interface Limits {
  /** Fields of which a rule of all zones has said what they are, or that they are not. */
  readonly settled: ReadonlySet<string>
  readonly isOwnHost: boolean
}

/** A block of a zone without what it may not change: nothing that rules of all zones say, and no other zone. */
function permitted({ block, captures }: MatchedBlock, limits: Limits): AppliedBlock {
  return {
    captures,
    block: {
      unset: block.unset.filter((name) => mayUnset(name, limits)),
      set: new Map([...block.set].filter(([name]) => maySet(name, limits))),
    },
  }
}

const mayUnset = (name: string, { settled }: Limits): boolean => !settled.has(name)

const maySet = (name: string, { settled, isOwnHost }: Limits): boolean =>
  (!settled.has(name) || addableFields.has(name)) && !(isOwnHost && isWithheldFromZones(name))

const overruledIn = ({ block }: MatchedBlock, limits: Limits): readonly string[] => [
  ...block.unset.filter((name) => !mayUnset(name, limits)),
  ...[...block.set.keys()].filter((name) => !maySet(name, limits)),
]

/** Whether SVGs at the URL are to be sent without anything that acts: one who asks for it is enough. */
export const bookAsksToSanitise = ({ headers, own }: RuleBook, url: RuledUrl): boolean =>
  asksToSanitise(headers, url) ||
  (own !== undefined && asksToSanitise(own.headers, inZone(url, own.zone)))
