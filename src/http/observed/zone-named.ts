import type { Operation } from '../operation.ts'

interface Named {
  readonly operation: Pick<Operation, 'path'>
  readonly params: Readonly<Record<string, string>>
  readonly url: string
}

const maxZoneLength = 64
const maxQueryLength = 8_192
const ofZones = '/api/core/zones/{id}'

/** The tenant that a request says it is about, whether or not there is one; `''` where it names none. */
export function zoneNamedBy({ operation, params, url }: Named): string {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start, start + maxQueryLength))
  const id = operation.path.startsWith(ofZones) ? params['id'] : undefined
  const named = id ?? params['path'] ?? query.get('zone') ?? query.get('path') ?? ''
  const [zone = ''] = named
    .slice(0, maxZoneLength + 2)
    .replace(/^\//u, '')
    .split('/')
  return zone.length > maxZoneLength ? '' : zone
}
