import { useId, useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { CheckField, SelectField } from '../parts/forms/field.tsx'
import { humanTime } from '../parts/format.ts'
import { saveRequests } from './request-file.ts'
import { type RequestQuery, periods } from './use-request-query.ts'

const presets = [
  { label: t('All'), q: '' },
  { label: t('Errors'), q: 'status:>=500' },
  { label: t('Refused'), q: 'status:4xx' },
  { label: t('Slow'), q: 'ms:>500' },
  { label: t('Misses'), q: 'cache:miss' },
  { label: t('Writes'), q: 'method:PUT,POST,PATCH,DELETE' },
] as const

interface ToolbarProps {
  readonly asked: RequestQuery
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
}

/** What to look at, and what to do with it. */
export function RequestToolbar({ asked, isFollowing, onFollow }: ToolbarProps) {
  const label = useId()
  return (
    <div className="toolbar">
      <div role="group" aria-labelledby={label} className="request-presets">
        <span id={label} className="hidden-text">
          {t('Presets')}
        </span>
        {presets.map(({ label: name, q }) => (
          <Button
            key={name}
            kind={asked.q === q ? 'primary' : 'plain'}
            aria-pressed={asked.q === q}
            onClick={() => asked.ask(q)}
          >
            {name}
          </Button>
        ))}
      </div>
      <SelectField
        label={t('Period')}
        value={asked.span === undefined ? asked.period.value : spanValue}
        options={asked.span === undefined ? periods : [...periods, optionOf(asked.span)]}
        onChange={({ target }) => {
          if (target.value !== spanValue) asked.choosePeriod(target.value)
        }}
      />
      <CheckField
        label={t('The dashboard’s own')}
        checked={asked.showsOwn}
        onChange={(event) => asked.showOwn(event.target.checked)}
      />
      <Button icon={isFollowing ? 'pause' : 'play'} onClick={() => onFollow(!isFollowing)}>
        {isFollowing ? t('Pause') : t('Follow')}
      </Button>
      <SaveButton asked={asked} format="csv" label={t('CSV')} />
      <SaveButton asked={asked} format="ndjson" label={t('NDJSON')} />
    </div>
  )
}

const spanValue = 'span'

const optionOf = ({ from, to }: NonNullable<RequestQuery['span']>) => ({
  value: spanValue,
  label:
    to === undefined
      ? t('Since {from}', { from: humanTime(from) })
      : t('{from} to {to}', { from: humanTime(from), to: humanTime(to) }),
})

interface SaveProps {
  readonly asked: RequestQuery
  readonly format: 'csv' | 'ndjson'
  readonly label: string
}

function SaveButton({ asked, format, label }: SaveProps) {
  const [isBusy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    void saveRequests(asked.input, format).finally(() => setBusy(false))
  }
  return (
    <Button icon="download" isBusy={isBusy} title={t('At most 10,000 requests')} onClick={save}>
      {label}
    </Button>
  )
}
