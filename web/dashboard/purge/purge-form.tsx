import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { PurgeFields } from './purge-fields.tsx'
import { isComplete, type PurgeOrder } from './purge-order.ts'
import { PurgeOutcome } from './purge-outcome.tsx'

interface PurgeFormProps {
  readonly order: PurgeOrder
  readonly isBusy: boolean
  readonly error: Error | null
  readonly outcome: ResponseOf<'purge'> | undefined
  readonly onChange: (order: PurgeOrder) => void
  /** Shows what would go. */
  readonly onTry: () => void
  readonly onPurge: () => void
}

export function PurgeForm(props: PurgeFormProps) {
  const { order, isBusy, error, outcome, onChange, onTry, onPurge } = props
  const isReady = isComplete(order)
  const zone = order.what === 'everything' ? null : undefined
  const needs = { scope: 'purge:write', zone } as const
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        onPurge()
      }}
    >
      {error && <Failure error={error} />}
      <PurgeFields value={order} onChange={onChange} />
      <div className="row">
        <Button
          type="submit"
          kind={order.what === 'everything' ? 'danger' : 'primary'}
          icon="sweep"
          needs={needs}
          disabled={!isReady}
          isBusy={isBusy}
        >
          {t('Purge')}
        </Button>
        <Button needs={needs} disabled={!isReady} isBusy={isBusy} onClick={onTry}>
          {t('Only show what would go')}
        </Button>
      </div>
      {outcome && <PurgeOutcome outcome={outcome} />}
    </form>
  )
}
