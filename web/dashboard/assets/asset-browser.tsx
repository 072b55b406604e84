import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { plural, t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { CheckField } from '../parts/forms/field.tsx'
import { useIsNarrow } from '../parts/use-is-narrow.ts'
import type { Search } from '../page-parameters.ts'
import { Link, useSearch } from '../router.tsx'
import { Breadcrumbs } from './folders/breadcrumbs.tsx'
import { FolderStrip } from './folders/folder-strip.tsx'
import { FolderTree } from './folders/folder-tree.tsx'
import type { DropOn } from './folders/use-drop-target.ts'
import type { Look } from './look.ts'
import { directoryText, filterOf, folderOf, isSearch, narrowingOf } from './place.ts'
import { SelectionBar } from './selection/selection-bar.tsx'
import { namedBy, useBulk } from './selection/use-bulk.ts'
import { type Selecting, useSelecting } from './selection/use-selecting.ts'
import { useSelectionKeys } from './selection/use-selection-keys.ts'
import { selectedCount } from './selection/selection.ts'
import type { AssetSource } from './use-assets.ts'
import { AssetGrid } from './views/asset-grid.tsx'
import { AssetList } from './views/asset-list.tsx'

interface AssetBrowserProps {
  readonly source: AssetSource
  readonly search: Search
  readonly look: Look
  readonly onLook: (changes: Partial<Look>) => void
}

/** Folders beside what is in one of them, and what can be done with it. */
export function AssetBrowser({ source, search, look, onLook }: AssetBrowserProps) {
  const openFolder = useOpenFolder()
  const isNarrow = useIsNarrow()
  const folder = folderOf(search)
  const byMeaning = isByMeaning(search)
  const filter = byMeaning ? undefined : filterOf(search)
  const key = `${byMeaning} ${filter ?? ''} ${look.sort} ${look.order}`
  const selecting = useSelecting(source, { key, canNameAll: filter !== undefined })
  useSelectionKeys(selecting)
  const onDropOn = useDropOn(filter, source.count, selecting)
  return (
    <div className="asset-browser">
      {!isNarrow && (
        <nav className="tree-pane" aria-label={t('Folders')}>
          <FolderTree
            label={t('Folders')}
            rootName={t('All assets')}
            current={folder}
            onOpen={openFolder}
            onDropOn={onDropOn}
          />
        </nav>
      )}
      <div className="asset-main">
        <div className="place-bar">
          <Breadcrumbs folder={folder} onOpen={openFolder} onDropOn={onDropOn} />
          <BelowSwitch search={search} />
        </div>
        {selecting.count > 0 ? (
          <SelectionBar selecting={selecting} filter={filter} folder={folder} />
        ) : (
          <Count source={source} />
        )}
        {!isSearch(search) && (isNarrow || folder !== '') && (
          <FolderStrip
            folder={folder}
            selecting={selecting}
            onOpen={openFolder}
            onDropOn={onDropOn}
          />
        )}
        <Files {...{ source, search, look, onLook, selecting }} />
      </div>
    </div>
  )
}

export const isByMeaning = ({ by, q }: Search): boolean => by === 'meaning' && q !== undefined

function useOpenFolder(): (folder: string) => void {
  const [, change] = useSearch()
  return (folder) =>
    change({
      folder,
      zone: undefined,
      below: undefined,
      q: undefined,
      by: undefined,
      category: undefined,
      format: undefined,
    })
}

/** What is dragged onto a folder goes there. */
function useDropOn(filter: string | undefined, total: number, selecting: Selecting): DropOn {
  const { run } = useBulk()
  return (folder, selection) => {
    const count = selectedCount(selection, total)
    const place = directoryText(`${folder}/x`)
    const what = plural(count, { one: '{count} asset', other: '{count} assets' })
    const body = { ...namedBy(selection, filter), Action: 'move' as const, To: `${folder}/` }
    const move = async () => {
      const fault = await run(body, () => t('{what} moved to {place}.', { what, place }))
      if (fault === undefined) selecting.clear()
      else toastFailure(fault)
    }
    void move()
  }
}

/** Whether one sees what is in folders of the folder, too. */
function BelowSwitch({ search }: { readonly search: Search }) {
  const [, change] = useSearch()
  const { folder, zone, below } = search
  if (isSearch(search) || folderOf(search) === '') return null
  const isOn = folder === undefined || below !== undefined
  return (
    <CheckField
      label={t('Include subfolders')}
      checked={isOn}
      onChange={() =>
        change(
          isOn
            ? { below: undefined, zone: undefined, folder: folder ?? `${zone}/v1` }
            : { below: '1' },
        )
      }
    />
  )
}

const Count = ({ source: { count, isPending } }: { readonly source: AssetSource }) => (
  <p className="fine-print asset-count" role="status">
    {isPending ? '' : plural(count, { one: '{count} asset', other: '{count} assets' })}
  </p>
)

interface FilesProps extends AssetBrowserProps {
  readonly selecting: Selecting
}

function Files({ source, search, look, onLook, selecting }: FilesProps) {
  const [, change] = useSearch()
  if (source.error !== null) return <Failure error={source.error} onRetry={() => source.retry()} />
  if (source.isPending) return <Loading label={t('Assets are loading')} />
  if (source.count === 0 && isByMeaning(search)) return <NothingMatches source={source} />
  if (source.count === 0) return <Nothing search={search} />
  const common = {
    source,
    selecting,
    isCompact: look.density === 'compact',
    showsPlace: narrowingOf(search).direct === undefined,
    onOpen: (path: string) => change({ asset: path }),
  }
  if (look.view === 'grid') return <AssetGrid {...common} />
  return <AssetList {...common} look={look} onLook={onLook} isRanked={isByMeaning(search)} />
}

function Nothing({ search }: { readonly search: Search }) {
  const folder = folderOf(search)
  const { data: below } = useOperation('listFolders', { path: folder, limit: 1000 })
  if (!isSearch(search) && (below?.Files ?? 0) > 0)
    return <p className="fine-print">{t('All files are in the folders above.')}</p>
  if (!isSearch(search))
    return (
      <EmptyState
        icon="images"
        title={
          folder === ''
            ? t('Nothing is stored yet')
            : t('Nothing is stored in {folder} yet', { folder: directoryText(`${folder}/x`) })
        }
      >
        <p>{t('Files that you upload appear here within a second.')}</p>
        <p className="row">
          <Link
            page="upload"
            search={{ zone: folder.split('/')[0] }}
            className="button button-primary"
          >
            {t('Upload files')}
          </Link>
        </p>
      </EmptyState>
    )
  return (
    <EmptyState icon="search" title={t('No results')}>
      <p>
        {rich(
          'No asset fits these filters. <link>Show all assets</link>, or search by meaning with other words for it, its colour or its shape.',
          { link: toAllAssets },
        )}
      </p>
    </EmptyState>
  )
}

/** What is nearest is not what was meant: it is shown to whoever asks for it. */
const NothingMatches = ({ source: { nearest } }: Pick<FilesProps, 'source'>) => (
  <EmptyState icon="search" title={t('Nothing matches')}>
    <p>
      {rich(
        'No asset fits these filters. <link>Show all assets</link>, or try other words for it, its colour or its shape.',
        { link: toAllAssets },
      )}
    </p>
    {nearest !== undefined && (
      <p className="row">
        <Button onClick={() => nearest.show()}>
          {plural(nearest.count, {
            one: 'Show the one that is nearest',
            other: 'Show the {count} that are nearest',
          })}
        </Button>
      </p>
    )}
  </EmptyState>
)

const toAllAssets = (text: string) => <Link page="assets">{text}</Link>
