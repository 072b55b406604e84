import { useState } from 'react'

import { useChange, useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'

/** A host name for a zone: the one that is given, or one that is chosen. */
export function AddDomain({ zone }: { readonly zone: string | undefined }) {
  const [hostname, setHostname] = useState('')
  const [chosen, setChosen] = useState('')
  const of = zone ?? chosen
  const add = useChange('addDomain', {
    changes: ['listDomains', 'listAllDomains', 'listZones'],
    onSuccess: ({ Hostname }) => {
      setHostname('')
      toast(t('{hostname} is added. What to set in DNS is shown with it.', { hostname: Hostname }))
    },
  })
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ id: of, body: { Hostname: hostname } })
      }}
    >
      {add.isError && <Failure error={add.error} />}
      <div className={zone === undefined ? 'inline-form inline-form-3' : 'inline-form'}>
        <TextField
          label={t('Host name')}
          value={hostname}
          placeholder="assets.example.com"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => setHostname(event.target.value)}
        />
        {zone === undefined && <OfZone value={chosen} onChange={setChosen} />}
        <Button
          type="submit"
          kind="primary"
          icon="plus"
          needs={{ scope: 'domains:write', zone: of === '' ? undefined : of }}
          disabled={hostname === '' || of === ''}
          isBusy={add.isPending}
        >
          {t('Add')}
        </Button>
      </div>
    </form>
  )
}

interface OfZoneProps {
  readonly value: string
  readonly onChange: (zone: string) => void
}

function OfZone({ value, onChange }: OfZoneProps) {
  const names = useOperation('listZones', {}).data?.map(({ Name }) => Name) ?? []
  return (
    <SelectField
      label={t('For')}
      value={value}
      options={[
        { value: '', label: t('Choose a zone') },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
