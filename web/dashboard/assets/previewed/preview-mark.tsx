import type { ResponseOf } from '../../../../src/client/types.ts'
import { plural, t } from '../../language/text.ts'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../router.tsx'

type Previews = ResponseOf<'listPreviewedAssets'>['Previewed'][number]['Previews']

interface PreviewMarkProps {
  readonly previews: Previews | undefined
  readonly isCurrent: boolean
}

/** Says that an asset is otherwise in an open preview, and leads there; where it is in several, to all of its zone. */
export function PreviewMark({ previews = [], isCurrent }: PreviewMarkProps) {
  const [first] = previews
  if (first === undefined) return null
  const isOne = previews.length === 1
  const text = isOne
    ? previewedText(first)
    : plural(previews.length, {
        one: 'Changed in {count} preview',
        other: 'Changed in {count} previews',
      })
  return (
    <Link
      page="previews"
      search={{ zone: first.Zone, ...(isOne && { preview: first.Name }) }}
      className="preview-mark"
      title={text}
      aria-label={text}
      tabIndex={isCurrent ? 0 : -1}
      draggable={false}
    >
      <Icon name="branch" />
    </Link>
  )
}

export const previewedText = ({ Name: name, Change }: Previews[number]): string =>
  Change === 'removed'
    ? t('Deleted in the preview {name}', { name })
    : t('Changed in the preview {name}', { name })
