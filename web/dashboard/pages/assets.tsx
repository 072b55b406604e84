import { AssetBrowser, isByMeaning } from '../assets/asset-browser.tsx'
import { AssetDetails } from '../assets/details/asset-details.tsx'
import { AssetFilters } from '../assets/asset-filters.tsx'
import { type Look, useLook } from '../assets/look.ts'
import { folderOf } from '../assets/place.ts'
import { SavedViews } from '../assets/saved-views.tsx'
import { type AssetSource, useAssets, useFoundAssets } from '../assets/use-assets.ts'
import { useLiveAssets } from '../assets/use-live-assets.ts'
import { LookSwitches } from '../assets/views/look-switches.tsx'
import { t } from '../language/text.ts'
import { PageHeader } from '../parts/page-header.tsx'
import type { Search } from '../page-parameters.ts'
import { Link, useSearch } from '../router.tsx'

/** Everything that is stored, to look through, search and care for. */
export function Page() {
  const [search] = useSearch()
  const [look, setLook] = useLook()
  useLiveAssets()
  const View = isByMeaning(search) ? Found : Catalogue
  const [zone, , ...folders] = folderOf(search).split('/')
  const folder = zone === '' ? undefined : folders.join('/')
  return (
    <div className="asset-page">
      <PageHeader title={t('Assets')}>
        <SavedViews search={search} look={look} />
        <LookSwitches look={look} onLook={setLook} />
        <Link page="upload" search={{ zone, folder }} className="button button-primary">
          {t('Upload')}
        </Link>
      </PageHeader>
      <AssetFilters look={look} onLook={setLook} />
      <View search={search} look={look} onLook={setLook} />
    </div>
  )
}

interface ViewProps {
  readonly search: Search
  readonly look: Look
  readonly onLook: (changes: Partial<Look>) => void
}

const Catalogue = (props: ViewProps) => (
  <Shown {...props} source={useAssets(props.search, props.look)} />
)

const Found = (props: ViewProps) => <Shown {...props} source={useFoundAssets(props.search)} />

function Shown(props: ViewProps & { readonly source: AssetSource }) {
  const [{ asset }, change] = useSearch()
  return (
    <>
      <AssetBrowser {...props} />
      <AssetDetails
        path={asset}
        source={props.source}
        onOpen={(path) => change({ asset: path }, { replaces: true })}
        onClose={() => change({ asset: undefined })}
      />
    </>
  )
}
