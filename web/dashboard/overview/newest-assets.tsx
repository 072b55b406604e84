import { t } from '../language/text.ts'
import { useOperation } from '../api/queries.ts'
import { Thumbnail } from '../assets/thumbnail.tsx'
import { humanBytes } from '../parts/format.ts'
import { Link } from '../router.tsx'

/** What came last. */
export function NewestAssets() {
  const newest = useOperation('listAssets', { sort: 'date', order: 'desc', per_page: 6 })
  const assets = newest.data?.Data ?? []
  if (assets.length === 0) return null
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Newest assets')}</h2>
        <Link page="assets">{t('All assets')}</Link>
      </div>
      <ul className="newest">
        {assets.map((asset) => (
          <li key={asset.path}>
            <Link
              page="assets"
              search={{ asset: asset.path }}
              className="asset-card"
              title={asset.path}
            >
              <Thumbnail asset={asset} widthPx={320} heightPx={240} />
              <span className="asset-name">{asset.name}</span>
              <span className="asset-facts">
                {asset.project} · {humanBytes(asset.size)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
