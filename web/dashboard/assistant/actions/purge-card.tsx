import { useChange, useOperation } from '../../api/queries.ts'
import { plural, t } from '../../language/text.ts'
import { useMay } from '../../parts/access/use-may.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { PurgeOutcome } from '../../purge/purge-outcome.tsx'
import { Card, type ConfirmableProps, Items, Outcome } from './card.tsx'

/** A purge, with what it would forget as the service counts it. */
export const PurgeCard = ({ action, outcome, onDone }: ConfirmableProps<'purge'>) => (
  <Card icon="sweep" title={t('Purge')}>
    {outcome === undefined ? (
      <Open action={action} onDone={onDone} />
    ) : (
      <>
        <What {...action} />
        <Outcome text={outcome} />
      </>
    )}
  </Card>
)

type Action = ConfirmableProps<'purge'>['action']

const What = ({ urls = [], tags = [], purge_everything: isEverything }: Action) =>
  isEverything === true ? (
    <p>{t('Every edge would forget everything.')}</p>
  ) : (
    <Items items={[...urls, ...tags]} />
  )

function Open({ action, onDone }: Omit<ConfirmableProps<'purge'>, 'outcome'>) {
  const isEverything = action.purge_everything === true
  const body = bodyOf(action)
  const needs = { scope: 'purge:write', zone: isEverything ? null : undefined } as const
  const { isAllowed } = useMay(needs.scope, needs.zone)
  const tried = useOperation(
    'purge',
    { dry_run: true, body },
    { isEnabled: isAllowed, staleMs: 30_000 },
  )
  const purge = useChange('purge', {
    changes: [],
    onSuccess: ({ purged }) => onDone(purgedText(purged)),
  })
  const error = purge.error ?? tried.error
  return (
    <>
      {tried.data === undefined ? <What {...action} /> : <PurgeOutcome outcome={tried.data} />}
      {error && <Failure error={error} />}
      <div className="row">
        <Button
          kind={isEverything ? 'danger' : 'primary'}
          icon="sweep"
          needs={needs}
          isBusy={purge.isPending}
          onClick={() => purge.mutate({ body })}
        >
          {t('Confirm the purge')}
        </Button>
      </div>
    </>
  )
}

function bodyOf({ urls, tags }: Action) {
  if (urls !== undefined) return { urls: [...urls] }
  return tags === undefined ? { purge_everything: true } : { tags: [...tags] }
}

const purgedText = (purged: readonly string[] | 'everything'): string =>
  typeof purged === 'string'
    ? t('Everything was purged.')
    : plural(purged.length, {
        one: '{count} item was purged.',
        other: '{count} items were purged.',
      })
