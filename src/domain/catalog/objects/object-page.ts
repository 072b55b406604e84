import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { ObjectCursor, PublishedObject } from './object-cursor.ts'

export interface ObjectPageQuery {
  readonly zone: string
  /** Of keys: what follows `<zone>/v1/`. */
  readonly prefix: string
  /** Keys that have it after the prefix are listed together, as one common prefix. */
  readonly delimiter: string | undefined
  /** Nothing up to this key, or up to the keys of this common prefix; `''` for all. */
  readonly after: string
  readonly limit: number
}

export type ListedObject =
  | { readonly kind: 'object'; readonly key: string; readonly object: PublishedObject }
  | { readonly kind: 'prefix'; readonly prefix: string }

export interface ObjectPage {
  /** In byte order, objects and common prefixes among each other. */
  readonly entries: readonly ListedObject[]
  /** Whether there is more after them. Never of a page that may have none. */
  readonly isTruncated: boolean
}

interface Objects {
  objectsFrom(path: string): ObjectCursor
}

/** Costs as much as the page is long, however much is in the zone. */
export function listObjectPage(query: ObjectPageQuery, objects: Objects): ObjectPage {
  const { prefix, limit } = query
  if (limit === 0) return { entries: [], isTruncated: false }
  const root = rootOf(query.zone)
  const cursor = firstOf(query, objects)
  const entries: ListedObject[] = []
  for (;;) {
    const object = cursor.current()
    if (!object?.path.startsWith(root + prefix)) return { entries, isTruncated: false }
    const key = object.path.slice(root.length)
    if (entries.length === limit) return { entries, isTruncated: true }
    const common = commonPrefix(key, query)
    if (common === undefined) {
      entries.push({ kind: 'object', key, object })
      cursor.advance()
    } else {
      entries.push({ kind: 'prefix', prefix: common })
      passAll(cursor, root + common)
    }
  }
}

function firstOf(query: ObjectPageQuery, objects: Objects): ObjectCursor {
  const { prefix, after } = query
  const root = rootOf(query.zone)
  const cursor = objects.objectsFrom(root + (compareByBytes(after, prefix) > 0 ? after : prefix))
  if (commonPrefix(after, query) === after) passAll(cursor, root + after)
  if (cursor.current()?.path === root + after) cursor.advance()
  return cursor
}

export const rootOf = (zone: string): string => `${zone}/v1/`

/** What a key is listed under, if not by itself. */
export function commonPrefix(
  key: string,
  { prefix, delimiter }: Pick<ObjectPageQuery, 'prefix' | 'delimiter'>,
): string | undefined {
  if (delimiter === undefined || !key.startsWith(prefix)) return undefined
  const found = key.indexOf(delimiter, prefix.length)
  return found === -1 ? undefined : key.slice(0, found + delimiter.length)
}

/** No character comes after it: texts that begin with another one are before that with this at its end. */
export const lastCharacter = '\u{10ffff}'

function passAll(cursor: ObjectCursor, start: string): void {
  cursor.seek(start + lastCharacter)
  while (cursor.current()?.path.startsWith(start) === true) cursor.advance()
}
