import { isImage } from '../assets/asset.ts'
import { Thumbnail } from '../assets/thumbnail.tsx'
import { t } from '../language/text.ts'
import { Link } from '../router.tsx'
import { assetOf } from './source-asset.ts'
import type { Source } from './reply.ts'

const most = 6

/** The images among what an answer stands on; each opens the page of assets with its details. */
export function ShownImages({ sources }: { readonly sources: readonly Source[] }) {
  const images = sources.flatMap((source) => assetOf(source) ?? []).filter(isImage)
  if (images.length === 0) return null
  return (
    <ul className="ask-pictures" aria-label={t('Images')}>
      {images.slice(0, most).map((asset) => (
        <li key={asset.path}>
          <Link
            page="assets"
            search={{ asset: asset.path }}
            aria-label={asset.path}
            title={asset.path}
          >
            <Thumbnail asset={asset} widthPx={96} heightPx={72} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
