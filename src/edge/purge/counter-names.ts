import { encodePath } from '../../domain/content/asset-path.ts'
import { deliveryKeyOf } from './delivery-key.ts'
import { keyPartsOf, partsOfPurgedUrl, type KeyParts } from './cache-key.ts'

/** What a purge covers. Members add up; `everything` needs no others. */
export interface Purge {
  /** Absolute, or a path. Without a query, every query of that path on every host. */
  readonly urls?: readonly string[]
  readonly tags?: readonly string[]
  readonly zones?: readonly string[]
  readonly everything?: boolean
  /** Marks as stale instead of forbidding: the bytes may still be validated, or served stale. */
  readonly soft?: boolean
}

/** More would let one answer slow every look-up down. */
const maxTags = 256
const maxTagFieldLength = 16_384

/**
 * A tag of the form `path:<percent-encoded asset path>` or `stem:<the same without extension>` says
 * which asset an answer was made from. An answer that says neither depends on every asset of its zone.
 * `host:<host name>` says that whose asset it is depends on whose the host name is.
 */
const dependencyTag = /^(?:path|stem):/u
/** Says that an answer depends on every asset of its zone besides. */
const wholeZoneTag = 'whole-zone:'

export const everythingCounter = '*'
const pathCounter = (path: string): string => `path ${path}`
const addressCounter = (path: string, query: string): string => `address ${path}${query}`
const hostCounter = (host: string): string => `host ${host}`
const tagCounter = (tag: string): string => `tag ${tag.toLowerCase()}`
const zoneCounter = (zone: string): string => `zone ${zone}`
const contentCounter = (zone: string): string => `content ${zone}`

/**
 * The names of all counters that can purge an answer, or `undefined` where its tags are too many to
 * be kept: such an answer must not be stored, or a purge of a forgotten tag would miss it.
 */
export function countersOf(key: string, headers: Headers): readonly string[] | undefined {
  const tags = tagsOf(headers)
  if (tags === undefined) return undefined
  const { host, path, query } = keyPartsOf(key)
  const zones = zonesOf(path, tags)
  return [
    everythingCounter,
    pathCounter(path),
    addressCounter(path, query),
    hostCounter(host),
    ...tags.map(tagCounter),
    ...zones.map(zoneCounter),
    ...contentCountersOf(tags, zones),
  ]
}

/** The counters that `purge` raises. A URL that cannot be read raises everything: never too little. */
export function countersRaisedBy(purge: Purge): readonly string[] {
  if (purge.everything === true) return [everythingCounter]
  return [
    ...(purge.urls ?? []).flatMap(countersOfUrl),
    ...(purge.tags ?? []).map(tagCounter),
    ...(purge.zones ?? []).map(zoneCounter),
  ]
}

/** Raised by an unsafe request that succeeded: this one address, query included, on every host. */
export function urlCounterOf(key: string): string {
  const { path, query } = keyPartsOf(key)
  return addressCounter(path, query)
}

/** What depends on an asset: `path` is `<zone>/v1/…`, not encoded. */
export function countersOfAsset(path: string): readonly string[] {
  const encoded = encodePath(path)
  const zone = path.slice(0, path.indexOf('/'))
  return [
    pathCounter(`/${encoded}`),
    pathCounter(`/clients/${encoded}`),
    tagCounter(`path:${encoded}`),
    tagCounter(`stem:${stemOf(encoded)}`),
    contentCounter(zone),
    contentCounter('*'),
  ]
}

/**
 * What can have a URL mean something else at whose path nothing is published: that something is, rules, whose
 * the host name is, what the zone says of itself. `path` is `<zone>/v1/…`, not encoded.
 */
export const countersOfFreePath = (hostname: string, path: string): readonly string[] => [
  everythingCounter,
  pathCounter(`/${encodePath(path)}`),
  hostCounter(hostname),
  zoneCounter(path.slice(0, path.indexOf('/'))),
]

export const countersOfZone = (zone: string): readonly string[] => [
  zoneCounter(zone),
  tagCounter(`zone-${zone}`),
  contentCounter(zone),
  contentCounter('*'),
]

export const countersOfHost = (hostname: string): readonly string[] => [
  hostCounter(hostname.toLowerCase()),
  tagCounter(`host:${hostname}`),
]

function countersOfUrl(url: string): readonly string[] {
  const parts = partsOfPurgedUrl(url)
  if (parts === undefined) return [everythingCounter]
  if (parts.query === '') return countersOfPath(parts)
  // What the query means nothing to is stored under less of it.
  const { path, query } = keyPartsOf(deliveryKeyOf(`http://any.invalid${parts.path}${parts.query}`))
  return [addressCounter(parts.path, parts.query), addressCounter(path, query)]
}

/** Purging an asset's URL also purges what was made from it. */
const countersOfPath = ({ path }: KeyParts): readonly string[] => [
  pathCounter(path),
  tagCounter(`path:${path.replace(/^\/(?:clients\/)?/u, '')}`),
]

function contentCountersOf(tags: readonly string[], zones: readonly string[]): readonly string[] {
  const isOfSome = tags.some((tag) => dependencyTag.test(tag))
  if (isOfSome && !tags.includes(wholeZoneTag)) return []
  return zones.length === 0 ? [contentCounter('*')] : zones.map(contentCounter)
}

function zonesOf(path: string, tags: readonly string[]): readonly string[] {
  const fromPath = /^\/(?:clients\/)?(?<zone>[a-z0-9-]{2,64})\/v1\//u.exec(path)?.groups?.['zone']
  const fromTags = tags.filter((tag) => tag.startsWith('zone-')).map((tag) => tag.slice(5))
  return [...new Set(fromPath === undefined ? fromTags : [fromPath, ...fromTags])]
}

/** Cache-Tag is separated by commas, Surrogate-Key by blanks; no tag of ours holds either. */
function tagsOf(headers: Headers): readonly string[] | undefined {
  const fields = `${headers.get('cache-tag') ?? ''} ${headers.get('surrogate-key') ?? ''}`
  if (fields.length > 2 * maxTagFieldLength) return undefined
  const tags = [...new Set(fields.split(/[\s,]+/u).filter((tag) => tag !== ''))]
  return tags.length > maxTags ? undefined : tags
}

const stemOf = (path: string): string => {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path
}
