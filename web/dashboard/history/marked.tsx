import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanTime } from '../parts/format.ts'
import { Link, useSearch } from '../router.tsx'
import type { Moment } from './difference.tsx'

interface MarkedProps {
  readonly zone: string
  readonly id: string
  /** What is known of it, where it is on the page. */
  readonly commit: Moment | undefined
}

/** The moment that waits for another one to be compared with. */
export function Marked({ zone, id, commit }: MarkedProps) {
  const [{ path }, change] = useSearch()
  return (
    <div className="marked" role="status">
      <p>
        <strong>{commit?.Subject ?? id.slice(0, 10)}</strong>
        {commit && <span className="fine-print"> {humanTime(commit.DateCommitted)}</span>}
        <br />
        {t('Choose a second moment, or see what is otherwise now.')}
      </p>
      <div className="row">
        <Button onClick={() => change({ with: undefined }, { replaces: true })}>
          {t('Cancel')}
        </Button>
        <Link page="compare" search={{ zone, from: id, path }} className="button button-primary">
          {t('Compare with now')}
        </Link>
      </div>
    </div>
  )
}
