import { z } from 'zod'

import type { AttributeFilter } from '../../../domain/catalog/attributes.ts'
import { wordsOf } from '../../../domain/search/words/words.ts'
import { tagsOf } from '../../../domain/content/metadata/members.ts'
import { invalid } from '../../../domain/errors.ts'
import { booleanFlag } from '../../../http/request/query.ts'

const members = ['title', 'alt', 'description', 'tags', 'copyright', 'licence'] as const
const maxTags = 20
const maxLength = 1000

const text = (description: string) => z.string().max(maxLength).optional().describe(description)
const moment = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/u,
    'must be a date, e.g. 2027-01-31, or one with time and offset (RFC 3339)',
  )
  .optional()
const from = (what: string) => moment.describe(`${what} then or later; a date begins in UTC`)
const before = (what: string) => moment.describe(`${what} before then`)

/** What assets can be listed by, besides their names. */
export const attributeQuery = {
  tag: text('With this tag; with all of several, separated by commas'),
  field: text('With this value of a field of the zone’s own: `name:value`'),
  color: text('Images that have much of a colour, e.g. `blue` or `dark blue`'),
  hdr: booleanFlag('Images that go beyond white (PQ, HLG, gain maps), or all others').optional(),
  created_after: from('Stored for the first time'),
  created_before: before('Stored for the first time'),
  changed_after: from('Changed'),
  changed_before: before('Changed'),
  expires_after: from('Expires'),
  expires_before: before('Expires'),
  expired: booleanFlag('Whether its time is over').optional(),
  missing: text(`Of which nobody has said a member of: ${members.join(', ')}; separated by commas`),
}

const schema = z.object(attributeQuery)
type AttributeQuery = z.infer<typeof schema>

/** `undefined` where nothing is asked for. Throws `InvalidParameter`. */
export function attributesOf(query: AttributeQuery, now: Date): AttributeFilter | undefined {
  const { expired } = query
  const filter: AttributeFilter = {
    tags: tagsIn(query.tag),
    field: fieldOf(query.field),
    colour: query.color === undefined ? undefined : wordsOf(query.color),
    hdr: query.hdr,
    created: periodOf(query, 'created'),
    changed: periodOf(query, 'changed'),
    expires: periodOf(query, 'expires'),
    expired: expired === undefined ? undefined : { is: expired, at: now },
    missing: listOf(query.missing)?.map(memberOf),
  }
  if ((filter.tags?.length ?? 0) > maxTags) throw invalid('tag', `must be at most ${maxTags} tags`)
  return Object.values(filter).every((each) => each === undefined) ? undefined : filter
}

function tagsIn(value: string | undefined): readonly string[] | undefined {
  const tags = listOf(value)
  return tags && tagsOf(tags, 'tag')
}

const listOf = (value: string | undefined): readonly string[] | undefined => {
  const items = value?.split(',').filter((item) => item.trim() !== '')
  return items?.length === 0 ? undefined : items
}

function fieldOf(value: string | undefined): AttributeFilter['field'] {
  if (value === undefined) return undefined
  const colon = value.indexOf(':')
  if (colon < 1) throw invalid('field', 'must be a name, a colon and a value, e.g. season:summer')
  return { name: value.slice(0, colon), value: value.slice(colon + 1) }
}

type Begun = 'created' | 'changed' | 'expires'

function periodOf(query: AttributeQuery, name: Begun): AttributeFilter['created'] {
  const first = dateOf(query[`${name}_after`], `${name}_after`)
  const end = dateOf(query[`${name}_before`], `${name}_before`)
  return first === undefined && end === undefined ? undefined : { from: first, before: end }
}

function dateOf(value: string | undefined, target: string): Date | undefined {
  if (value === undefined) return undefined
  const at = new Date(value)
  if (!Number.isFinite(at.getTime())) throw invalid(target, 'must be a date that there is')
  return at
}

function memberOf(item: string): (typeof members)[number] {
  const name = item.trim().toLowerCase()
  const member = members.find((each) => each === name)
  if (member === undefined) throw invalid('missing', `must be of ${members.join(', ')}`)
  return member
}
