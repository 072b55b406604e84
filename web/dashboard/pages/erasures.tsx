import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { EraseForGood } from '../erasures/erase-for-good.tsx'
import { ErasureCard } from '../erasures/erasure-card.tsx'
import { t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useSearch } from '../router.tsx'

const refreshMs = 2_000

/** What was erased for good, and how far each place has got. */
export function Page() {
  const [{ erase, erasure: open }, change] = useSearch()
  const erasures = useOperation(
    'listErasures',
    { limit: 200 },
    { refetchEveryMs: (data) => (isMoving(data) ? refreshMs : false) },
  )
  const isThere = erasures.data?.Erasures.some(({ Id }) => Id === open) ?? true
  return (
    <>
      <PageHeader
        title={t('Erasures')}
        lead={t(
          "What the law, or somebody's right, wants gone is forgotten everywhere: in history, caches, edges and copies. Each place says when it has.",
        )}
      >
        <Button
          icon="eraser"
          needs={{ scope: 'people:write', zone: null }}
          onClick={() => change({ erase: ask })}
        >
          {t('Erase for good…')}
        </Button>
      </PageHeader>
      <QueryResult query={erasures} label={t('The erasures are loading')}>
        {({ Erasures }) =>
          Erasures.length === 0 ? (
            <EmptyState icon="eraser" title={t('Nothing was ever erased')}>
              <p>
                {t(
                  'Deleting a file leaves it in the history, from where it can come back. Erase only what must not be kept.',
                )}
              </p>
            </EmptyState>
          ) : (
            <div className="cards">
              {Erasures.map((each) => (
                <ErasureCard
                  key={each.Id}
                  erasure={each}
                  isOpen={each.Id === open}
                  onToggle={() => change({ erasure: each.Id === open ? undefined : each.Id })}
                />
              ))}
            </div>
          )
        }
      </QueryResult>
      {open !== undefined && !isThere && <Older id={open} />}
      {erase !== undefined && (
        <EraseForGood
          key={erase}
          given={erase === ask ? '' : erase}
          onOrdered={(id) => change({ erase: undefined, erasure: id }, { replaces: true })}
          onClose={() => change({ erase: undefined })}
        />
      )}
    </>
  )
}

/** Says that the dialog is open, and nothing named yet. */
const ask = '?'

const isMoving = (data: ResponseOf<'listErasures'> | undefined): boolean =>
  data?.Erasures.some(({ State }) => State !== 'done') ?? false

/** One that is further down than the list goes. */
function Older({ id }: { readonly id: string }) {
  const [, change] = useSearch()
  const found = useOperation('getErasure', { id })
  if (found.isError) return <Failure error={found.error} />
  return (
    found.data && (
      <ErasureCard erasure={found.data} isOpen onToggle={() => change({ erasure: undefined })} />
    )
  )
}
