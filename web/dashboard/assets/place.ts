import type { Search } from '../page-parameters.ts'

/** What a list of assets is asked for, besides its order. */
export interface Narrowing {
  readonly folder?: string
  readonly direct?: 'true'
  readonly project?: string
  readonly category?: string
  readonly format?: string
  readonly q?: string
}

/** Whether something is looked for, so that where it is must not matter. */
export const isSearch = ({ q, category, format }: Search): boolean =>
  [q, category, format].some((each) => each !== undefined)

/** In a folder one sees what is in it; who looks for something sees what is below it, too. */
export function narrowingOf(search: Search): Narrowing {
  const { folder, zone, category, format, q, below } = search
  const isDirect = folder !== undefined && below === undefined && !isSearch(search)
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(isDirect ? { direct: 'true' as const } : {}),
    ...(zone === undefined || folder !== undefined ? {} : { project: zone }),
    ...(category === undefined ? {} : { category }),
    ...(format === undefined ? {} : { format }),
    ...(q === undefined ? {} : { q }),
  }
}

/** What fits everything: an operation on all has to say so. */
const everything = 'created_after=1970-01-01'

/** The same for operations on all that a list has. */
export function filterOf(search: Search): string {
  const fields = new URLSearchParams({ ...narrowingOf(search) })
  return fields.size === 0 ? everything : fields.toString()
}

/** The folder that the page shows: `''` of all zones, `<zone>/v1` of a zone. */
export const folderOf = ({ folder, zone }: Search): string =>
  folder ?? (zone === undefined ? '' : `${zone}/v1`)

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** The folders from a zone down to one. `v1` is every zone's, and nobody has to read it. */
export function crumbsOf(folder: string): readonly Crumb[] {
  const segments = folder === '' ? [] : folder.split('/')
  return segments.flatMap((name, index) => {
    if (index === 1) return []
    const path = segments.slice(0, index + 1).join('/')
    return { name, path: index === 0 ? `${path}/v1` : path }
  })
}

/** The folder above; of a zone that of all zones. */
export const parentOf = (folder: string): string => crumbsOf(folder).at(-2)?.path ?? ''

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Where a file is, as people read it: without its name and without `v1`. */
export function directoryText(path: string): string {
  const [zone = '', , ...rest] = path.split('/')
  return [zone, ...rest.slice(0, -1)].join(' / ')
}
