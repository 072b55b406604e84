import { useEffect, useState } from 'react'

import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { Button } from '../parts/forms/button.tsx'
import { useSearch } from '../router.tsx'
import { dayOf, prefixOf } from './narrowing.ts'

interface TimelineFiltersProps {
  /** Who made the commits that are shown. */
  readonly authors: readonly string[]
  readonly nameOf: (author: string) => string
}

const kinds = [
  { value: '', label: t('Everybody') },
  { value: 'session', label: t('The dashboard') },
  { value: 'token', label: t('Any token') },
  { value: 'access-key', label: t('The access key') },
  { value: 'account-key', label: t('The account key') },
]

/** Of which files, by whom, and from which day back. */
export function TimelineFilters({ authors, nameOf }: TimelineFiltersProps) {
  const [{ author = '', time = '', path }, change] = useSearch()
  const named = new Set([...authors, author].filter((each) => isNamed(each)))
  const isNarrowed = author !== '' || time !== '' || path !== undefined
  return (
    <div className="toolbar timeline-filters" role="search" aria-label={t('Commits')}>
      <PathFilter key={path ?? ''} path={path} onChange={(next) => change({ path: next })} />
      <SelectField
        label={t('By')}
        value={author}
        options={[...kinds, ...[...named].map((each) => ({ value: each, label: nameOf(each) }))]}
        onChange={({ target }) => change({ author: target.value })}
      />
      <TextField
        label={t('Jump to')}
        type="date"
        value={time}
        max={dayOf(new Date())}
        onChange={({ target }) => change({ time: target.value })}
      />
      {isNarrowed && (
        <Button
          kind="quiet"
          icon="close"
          onClick={() => change({ author: undefined, time: undefined, path: undefined })}
        >
          {t('Show all')}
        </Button>
      )}
    </div>
  )
}

/** One of many of its kind, or a name. */
const isNamed = (author: string): boolean =>
  author !== '' && !author.startsWith('session:') && !kinds.some(({ value }) => value === author)

interface PathFilterProps {
  readonly path: string | undefined
  readonly onChange: (path: string | undefined) => void
}

const pauseMs = 500

/** Asks once nobody types any more. */
function PathFilter({ path, onChange }: PathFilterProps) {
  const [typed, setTyped] = useState(path?.replace(/^v1\/?/u, '') ?? '')
  const wanted = prefixOf(typed)
  useEffect(() => {
    if (wanted === path) return undefined
    const timer = setTimeout(() => onChange(wanted), pauseMs)
    return () => clearTimeout(timer)
  })
  return (
    <TextField
      label={t('Folder or file')}
      type="search"
      value={typed}
      placeholder={t('icons, or icons/home.svg')}
      spellCheck={false}
      autoCapitalize="none"
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
