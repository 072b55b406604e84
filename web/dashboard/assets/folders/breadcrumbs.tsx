import { t } from '../../language/text.ts'
import { crumbsOf } from '../place.ts'
import { type DropOn, useDropTarget } from './use-drop-target.ts'

interface BreadcrumbsProps {
  readonly folder: string
  readonly onOpen: (folder: string) => void
  readonly onDropOn: DropOn
}

/** The way from all zones to the folder; what is dragged onto one of them goes there. */
export function Breadcrumbs({ folder, onOpen, onDropOn }: BreadcrumbsProps) {
  const crumbs = [{ name: 'All assets', path: '' }, ...crumbsOf(folder)]
  return (
    <nav aria-label={t('Folder')} className="breadcrumbs">
      <ol>
        {crumbs.map(({ name, path }, index) => (
          <li key={path}>
            <Crumb
              name={name}
              path={path}
              isCurrent={index === crumbs.length - 1}
              onOpen={onOpen}
              onDropOn={onDropOn}
            />
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface CrumbProps extends Omit<BreadcrumbsProps, 'folder'> {
  readonly name: string
  readonly path: string
  readonly isCurrent: boolean
}

function Crumb({ name, path, isCurrent, onOpen, onDropOn }: CrumbProps) {
  const drop = useDropTarget(path, onDropOn)
  return (
    <button
      type="button"
      className="crumb"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onOpen(path)}
      {...drop}
    >
      {name}
    </button>
  )
}
