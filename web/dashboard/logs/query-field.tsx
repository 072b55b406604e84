import { useEffect, useId, useState } from 'react'

import { t } from '../language/text.ts'
import { TextField } from '../parts/forms/field.tsx'
import { suggestionsFor } from './request-words.ts'

interface QueryFieldProps {
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (query: string) => void
}

/** Where a query is typed; asked with Enter, or when nothing was typed for a while. */
export function QueryField({ value, fault, onChange }: QueryFieldProps) {
  const list = useId()
  const [typed, setTyped] = useState(value)
  const [before, setBefore] = useState(value)
  if (before !== value) {
    setBefore(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onChange(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <form
      role="search"
      className="request-query"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed)
      }}
    >
      <TextField
        label={t('Find requests')}
        type="search"
        value={typed}
        list={list}
        spellCheck={false}
        autoComplete="off"
        placeholder="status:>=400 path:/acme/* ms:>200 …"
        hint={t(
          'Words such as status, path, zone, ms, cache, token, id; a minus in front for what must not be; anything else is free text.',
        )}
        fault={fault}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={list}>
        {suggestionsFor(typed).map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </form>
  )
}

const pauseMs = 500
