import type { Asset } from '../assets/asset.ts'
import type { Source } from './reply.ts'

/** The asset at a source; documentation and transforms are none. */
export function assetOf({ url }: Pick<Source, 'url'>): Asset | undefined {
  const parsed = URL.parse(url, location.origin)
  if (parsed === null || parsed.search !== '') return undefined
  const path = decoded(parsed.pathname.slice(1))
  const [project = '', version, category = '', ...rest] = path.split('/')
  const name = rest.at(-1)
  if (version !== 'v1' || name === undefined) return undefined
  const format = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return { name, path, project, category, format, size: 0 }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
