import { useOperation } from '../../api/queries.ts'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../router.tsx'
import { previewedText } from './preview-mark.tsx'

/** The open previews in which the asset is otherwise, each a way there. */
export function AssetPreviews({ path }: { readonly path: string }) {
  const { data } = useOperation('listPreviewedAssets', { body: { Paths: [path] } })
  const previews = data?.Previewed[0]?.Previews ?? []
  if (previews.length === 0) return null
  return (
    <ul className="asset-previews">
      {previews.map((preview) => (
        <li key={preview.Name}>
          <Link page="previews" search={{ zone: preview.Zone, preview: preview.Name }}>
            <Icon name="branch" />
            {previewedText(preview)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
