import { useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { useBulk } from '../../assets/selection/use-bulk.ts'
import { plural, t } from '../../language/text.ts'
import { useMay } from '../../parts/access/use-may.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { Card, type ConfirmableProps, Items, Outcome } from './card.tsx'

/** Tags for many assets, or to be taken from them, with how many of them would change. */
export function TagCard({ action, outcome, onDone }: ConfirmableProps<'tag' | 'untag'>) {
  const { paths, tags } = action
  const body = { Action: action.action, Paths: [...paths], Tags: [...tags] }
  const needs = { scope: ['metadata:write', 'storage:write'], zone: onlyZoneOf(paths) } as const
  const { isAllowed } = useMay(needs.scope, needs.zone)
  const isOpen = outcome === undefined
  const { data } = useOperation(
    'describeAssets',
    { dry_run: true, body },
    { isEnabled: isAllowed && isOpen, staleMs: 30_000 },
  )
  const [error, setError] = useState<unknown>()
  const { isBusy, run } = useBulk()
  const confirm = async () => {
    const fault = await run(body, ({ Results }) => {
      const text = changedText(countOf(Results))
      onDone(text)
      return text
    })
    setError(fault)
  }
  return (
    <Card icon="target" title={action.action === 'tag' ? t('Add tags') : t('Remove tags')}>
      <p>{tags.join(', ')}</p>
      <Items items={paths} />
      {data !== undefined && isOpen && (
        <p className="fine-print">
          {plural(countOf(data.Results), {
            one: '{count} asset would change.',
            other: '{count} assets would change.',
          })}
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      {outcome === undefined ? (
        <div className="row">
          <Button kind="primary" needs={needs} isBusy={isBusy} onClick={() => void confirm()}>
            {action.action === 'tag' ? t('Add the tags') : t('Remove the tags')}
          </Button>
        </div>
      ) : (
        <Outcome text={outcome} />
      )}
    </Card>
  )
}

const countOf = (results: readonly { readonly Outcome: string }[]): number =>
  results.filter(({ Outcome: outcome }) => outcome === 'updated').length

const changedText = (count: number): string =>
  plural(count, {
    one: 'Tags of {count} asset changed.',
    other: 'Tags of {count} assets changed.',
  })

/** The zone of all of them; `null` where they are of several. */
function onlyZoneOf(paths: readonly string[]): string | null {
  const zones = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''))
  return zones.size === 1 ? ([...zones][0] ?? null) : null
}
