import { useState } from 'react'

import { useChange, useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { SelectField, TextField } from '../../parts/forms/field.tsx'
import type { Zone } from '../../parts/one-zone.tsx'
import { type Quota, quotaAmount, type QuotaName, quotaLabel } from './quota-names.ts'

/** What a zone may have and use. */
export function QuotaSettings({ zone }: { readonly zone: Zone }) {
  const quotas = useOperation('getZoneQuotas', { id: zone.Id })
  return (
    <QueryResult query={quotas} label={t('The quotas are loading')}>
      {({ Quotas, WhenUsedUp }) => (
        <QuotaForm key={WhenUsedUp} zone={zone} quotas={Quotas} mode={WhenUsedUp} />
      )}
    </QueryResult>
  )
}

type Mode = 'degrade' | 'cut'
type Limit = number | null | 'default'

const modes = [
  { value: 'degrade', label: t('Stored files stand for new variants') },
  { value: 'cut', label: t('Nothing is delivered') },
] as const

/** How `typed` says it: nothing as for every zone, a dash for no bound. */
const typedOf = ({ Own, Limit: limit }: Quota): string => (Own ? (limit?.toString() ?? '-') : '')

/** `undefined` of what says no limit. */
function limitIn(text: string): Limit | undefined {
  if (text === '') return 'default'
  if (text === '-') return null
  return /^\d{1,15}$/u.test(text) ? Number(text) : undefined
}

interface QuotaFormProps {
  readonly zone: Zone
  readonly quotas: readonly Quota[]
  readonly mode: Mode
}

function QuotaForm({ zone, quotas, mode: known }: QuotaFormProps) {
  const [typed, setTyped] = useState(new Map(quotas.map((each) => [each.Name, typedOf(each)])))
  const [mode, setMode] = useState<Mode>(known)
  const save = useChange('setZoneQuotas', {
    changes: ['getZoneQuotas'],
    onSuccess: () => toast(t('The quotas of {name} are saved.', { name: zone.Name })),
  })
  const changed = changesOf(quotas, typed)
  const isFaulty = [...typed.values()].some((text) => limitIn(text) === undefined)
  const isSame = Object.keys(changed).length === 0 && mode === known
  const body = {
    ...(Object.keys(changed).length > 0 && { Quotas: changed }),
    ...(mode !== known && { WhenUsedUp: mode }),
  }
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ id: zone.Id, body })
      }}
    >
      <h2>{t('Quotas')}</h2>
      {save.isError && <Failure error={save.error} />}
      <p className="fine-print">
        {t('Whole numbers. Empty is as for every zone; a dash is no limit.')}
      </p>
      {quotas.map((quota) => (
        <LimitField
          key={quota.Name}
          quota={quota}
          typed={typed.get(quota.Name) ?? ''}
          onChange={(text) => setTyped(new Map(typed).set(quota.Name, text))}
        />
      ))}
      <SelectField
        label={t('When traffic, requests or new variants are used up')}
        value={mode}
        options={modes}
        onChange={({ target }) => setMode(target.value === 'cut' ? 'cut' : 'degrade')}
      />
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          needs={{ scope: 'zones:write', zone: zone.Name }}
          disabled={isFaulty || isSame}
          isBusy={save.isPending}
        >
          {t('Save quotas')}
        </Button>
      </div>
    </form>
  )
}

function changesOf(
  quotas: readonly Quota[],
  typed: ReadonlyMap<QuotaName, string>,
): Partial<Record<QuotaName, Limit>> {
  const changed: Partial<Record<QuotaName, Limit>> = {}
  for (const quota of quotas) {
    const text = typed.get(quota.Name) ?? ''
    const limit = limitIn(text)
    if (text !== typedOf(quota) && limit !== undefined) changed[quota.Name] = limit
  }
  return changed
}

interface LimitFieldProps {
  readonly quota: Quota
  readonly typed: string
  readonly onChange: (text: string) => void
}

const LimitField = ({ quota, typed, onChange }: LimitFieldProps) => (
  <TextField
    label={quotaLabel(quota.Name)}
    hint={t('Used: {used}', { used: quotaAmount(quota, quota.Used) })}
    inputMode="numeric"
    placeholder={quota.Own ? undefined : (quota.Limit?.toString() ?? '-')}
    value={typed}
    fault={limitIn(typed) === undefined ? t('A whole number, a dash, or nothing') : undefined}
    onChange={({ target }) => onChange(target.value.trim())}
  />
)
