import { t } from '../language/text.ts'
import type { ResponseOf } from '../../../src/client/types.ts'
import { Thumbnail } from '../assets/thumbnail.tsx'
import { humanBytes } from '../parts/format.ts'
import { Button } from '../parts/forms/button.tsx'
import { Badge } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import { type Duplicate, useInstead } from './use-instead.ts'

type Group = ResponseOf<'listDuplicates'>['Groups'][number]

/** Images that look alike, any of which may be the one that is used. */
export function DuplicateGroup({ group }: { readonly group: Group }) {
  const { isBusy, useInsteadOf } = useInstead()
  const all: readonly Duplicate[] = [group, ...group.Similar]
  return (
    <section className="card" aria-label={group.Path}>
      <ul className="entries duplicates">
        {all.map((each, index) => (
          <li key={each.Path}>
            <div className="row">
              <Thumbnail asset={assetOf(each)} widthPx={96} heightPx={72} />
              <div>
                <Link page="assets" search={{ asset: each.Path }}>
                  {each.Path}
                </Link>
                <p className="fine-print">
                  {humanBytes(each.Size)} {index > 0 && <Likeness duplicate={each} />}
                </p>
              </div>
            </div>
            <Button
              needs={{ scope: 'storage:write', zone: null }}
              isBusy={isBusy}
              onClick={() =>
                void useInsteadOf(
                  each,
                  all.filter(({ Path }) => Path !== each.Path),
                )
              }
              aria-label={t('Use this one for all: {path}', { path: each.Path })}
            >
              {t('Use this one')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const assetOf = ({ Path, Name, Project, Format, Size }: Duplicate) => ({
  path: Path,
  name: Name,
  project: Project,
  category: Path.split('/')[2] ?? '',
  format: Format,
  size: Size,
})

const Likeness = ({ duplicate: { Identical, Distance } }: { readonly duplicate: Duplicate }) =>
  Identical ? (
    <Badge kind="warning">{t('the same bytes')}</Badge>
  ) : (
    <Badge kind="plain">
      {Distance === 0
        ? t('looks the same')
        : t('differs in {distance} of 128', { distance: Distance })}
    </Badge>
  )
