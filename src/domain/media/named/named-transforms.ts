import { rememberRecent } from '../../../lib/collections/lru-cache.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { invalid } from '../../errors.ts'
import { nameIn, nameParameter, type NamedTransform, parseTransforms } from './parse-transforms.ts'

export interface FoundTransform extends NamedTransform {
  /** Whose file it is in; `undefined` where it is the one of all zones. */
  readonly zone: string | undefined
}

/** What a request asks of an image, with the parameters of a name in its place. */
export interface ResolvedTransform {
  /** Parameters alone: those of the name, and over them those that were asked for. */
  readonly query: URLSearchParams
  readonly name: string | undefined
  /** Whether what the owner says of the zone, or of a name in it, took part: that may change. */
  readonly isLedByZone: boolean
  /** Those that are the caller's own. */
  readonly free: URLSearchParams
}

/** Transforms that have a name: of a zone, and of all. */
export interface NamedTransforms {
  /** The zone's own goes before the one of all zones. */
  find(name: string, zone: string): FoundTransform | undefined
  /** Refuses a name that nothing has, and more than one. */
  read(query: URLSearchParams, zone: string): ResolvedTransform
}

/** Files that were asked for lately, by their text. */
const maxFiles = 256

export function createNamedTransforms(
  published: Pick<Manifest, 'zone' | 'ruleFile'>,
): NamedTransforms {
  const parsed = rememberRecent(parseTransforms, maxFiles)

  function find(name: string, zone: string): FoundTransform | undefined {
    const own = parsed(published.zone(zone)?.transforms ?? '').transformByName.get(name)
    if (own !== undefined) return { ...own, zone }
    const shared = parsed(published.ruleFile('_transforms') ?? '').transformByName.get(name)
    return shared && { ...shared, zone: undefined }
  }

  return {
    find,
    read(query, zone) {
      const name = nameIn(query)
      const byDefault = defaultsOf(published.zone(zone))
      if (name === undefined) {
        // Where nothing is asked for, nothing is made.
        const isLedByZone = query.size > 0 && [...byDefault].some(([each]) => !query.has(each))
        const whole = isLedByZone ? laidOver(byDefault, query) : query
        return { query: whole, name, isLedByZone, free: query }
      }
      const transform = find(name, zone)
      if (transform === undefined)
        throw invalid(nameParameter, 'must be the name of a transform, or begin with a digit')
      const free = withoutName(query)
      const named = laidOver(byDefault, transform.parameters)
      return { query: laidOver(named, free), name, isLedByZone: true, free }
    },
  }
}

/** What holds for images of a zone where neither the request nor a name says anything else. */
export const defaultsOf = (zone: Pick<ZoneRecord, 'metadataPolicy'> | undefined): URLSearchParams =>
  new URLSearchParams(zone?.metadataPolicy === undefined ? {} : { metadata: zone.metadataPolicy })

const withoutName = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...query].filter(([name, value]) => name !== nameParameter || /^\d/u.test(value)),
  )

/** Whatever is asked for goes before what the name says of it. */
export const laidOver = (named: URLSearchParams, free: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...[...named].filter(([name]) => !free.has(name)), ...free])
