import { folderOf } from '../../assets/place.ts'
import type { Search } from '../../page-parameters.ts'
import type { UploadTarget } from '../upload-target.ts'

interface Situation {
  /** By its name. */
  readonly page: string | undefined
  readonly search: Search
  /** Those one may send to. */
  readonly zones: readonly string[]
  /** Where files went last. */
  readonly last: UploadTarget
}

/**
 * Where files go that are dropped on a page: into the folder that is open, else where files went last, unless the
 * page is about another zone. `undefined` where somebody has to say.
 */
export function dropTargetOf({ page, search, zones, last }: Situation): UploadTarget | undefined {
  const open = page === 'assets' ? openFolderOf(search) : undefined
  const target = open ?? (page === 'upload' ? shownTarget({ search, zones, last }) : last)
  const isElsewhere = search['zone'] !== undefined && search['zone'] !== target.zone
  return zones.includes(target.zone) && !isElsewhere ? target : undefined
}

/**
 * What the page of uploads shows: as its address says, else where files went last; a zone is guessed only where there
 * is no choice. `zone` is `''` where somebody has to choose.
 */
export function shownTarget({ search, zones, last }: Omit<Situation, 'page'>): UploadTarget {
  const { zone, folder } = search
  const known = [zone, last.zone].find((each) => each !== undefined && zones.includes(each))
  const only = zones.length === 1 ? zones[0] : undefined
  return { zone: known ?? only ?? '', folder: folder ?? last.folder }
}

/** What to offer where nobody has said it all: the zone of the page, or the only one there is. */
export function offeredTarget({ search, zones, last }: Omit<Situation, 'page'>): UploadTarget {
  const [only] = zones.length === 1 ? zones : []
  const zone = [search['zone'], only].find((each) => each !== undefined && zones.includes(each))
  return { zone: zone ?? '', folder: zone === last.zone ? last.folder : '' }
}

/** Of all zones none is open. */
function openFolderOf(search: Search): UploadTarget | undefined {
  const [zone = '', , ...folders] = folderOf(search).split('/')
  return zone === '' ? undefined : { zone, folder: folders.join('/') }
}
