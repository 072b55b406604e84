import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'

export function AddDomain({ zone }: { readonly zone: string }) {
  const [hostname, setHostname] = useState('')
  const add = useChange('addDomain', {
    changes: ['listDomains', 'listZones'],
    onSuccess: ({ Hostname }) => {
      setHostname('')
      toast(`${Hostname} is added. What to set in DNS is shown with it.`)
    },
  })
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ id: zone, body: { Hostname: hostname } })
      }}
    >
      {add.isError && <Failure error={add.error} />}
      <div className="inline-form">
        <TextField
          label="Host name"
          value={hostname}
          placeholder="assets.example.com"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => setHostname(event.target.value)}
        />
        <Button
          type="submit"
          kind="primary"
          icon="plus"
          disabled={hostname === ''}
          isBusy={add.isPending}
        >
          Add
        </Button>
      </div>
    </form>
  )
}
