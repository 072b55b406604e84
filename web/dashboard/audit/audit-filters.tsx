import { useMemo } from 'react'

import type { Input } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { PeriodSelect, usePeriod } from '../parts/forms/period.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { useSearch } from '../router.tsx'

const actions = [
  { value: '', label: t('All changes') },
  { value: 'storage.*', label: t('Files') },
  { value: 'asset.*', label: t('Metadata') },
  { value: 'zone.*', label: t('Zones') },
  { value: 'rules.*', label: t('Edge rules') },
  { value: 'domain.*', label: t('Domains') },
  { value: 'purge.*', label: t('Purges') },
  { value: 'preview.*', label: t('Previews') },
  { value: 'repository.*', label: t('Pushes and commits') },
  { value: 'person.*', label: t('People and roles') },
  { value: 'token.*', label: t('Tokens') },
  { value: 'session.*', label: t('Sign-ins') },
  { value: 'passkey.*', label: t('Passkeys') },
  { value: 'webhook.*', label: t('Webhooks') },
  { value: 'content.*', label: t('Erasures') },
]

/** What narrows the log, as the URL of the page says it. */
export function useAuditQuery() {
  const [days] = usePeriod()
  const [{ q = '', zone = '', actor = '', action = '' }] = useSearch()
  return useMemo(
    (): Input<'listAuditLogs'> => ({
      days,
      ...(q !== '' && { q }),
      ...(zone !== '' && { zone }),
      ...(actor !== '' && { actor }),
      ...(action !== '' && { action }),
    }),
    [days, q, zone, actor, action],
  )
}

export function AuditFilters() {
  const [days, setDays] = usePeriod()
  const [{ q = '', zone = '', actor = '', action = '' }, change] = useSearch()
  return (
    <div className="toolbar" role="search" aria-label={t('Changes')}>
      <PeriodSelect days={days} onChange={setDays} />
      <SelectField
        label={t('Action')}
        value={action}
        options={actions}
        onChange={({ target }) => change({ action: target.value })}
      />
      <ZoneSelect
        value={zone}
        all={t('All zones')}
        onChange={(next) => change({ zone: next === '' ? undefined : next })}
      />
      <TextField
        label={t('Who')}
        type="search"
        value={actor}
        placeholder={t('a name, token, session')}
        onChange={({ target }) => change({ actor: target.value }, { replaces: true })}
      />
      <TextField
        label={t('Filter')}
        type="search"
        value={q}
        placeholder={t('deleted, logo.svg, a request id')}
        onChange={({ target }) => change({ q: target.value }, { replaces: true })}
      />
    </div>
  )
}
