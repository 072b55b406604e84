import { useId, useState, useSyncExternalStore } from 'react'

import { t } from '../language/text.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { Link } from '../router.tsx'
import type { Search, SearchOf } from '../page-parameters.ts'
import type { Look } from './look.ts'

interface SavedView {
  readonly name: string
  readonly search: SearchOf<'assets'>
}

const key = 'sedge-asset-views'
const maxViews = 50
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function viewsIn(text: string): readonly SavedView[] {
  try {
    return JSON.parse(text === '' ? '[]' : text) as readonly SavedView[]
  } catch {
    return []
  }
}

const kept = (): string => localStorage.getItem(key) ?? ''

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(key, JSON.stringify(views.slice(0, maxViews)))
  for (const listener of listeners) listener()
}

interface SavedViewsProps {
  readonly search: Search
  readonly look: Look
}

/** Filters and orders under a name. Each is an address, so it can be sent to somebody else. */
export function SavedViews({ search, look }: SavedViewsProps) {
  const id = useId()
  const [name, setName] = useState('')
  const views = viewsIn(useSyncExternalStore(subscribe, kept))
  const save = () => {
    const { asset: _asset, ...shown } = search
    const others = views.filter((view) => view.name !== name.trim())
    keep([...others, { name: name.trim(), search: { ...shown, ...look } }])
    setName('')
  }
  return (
    <>
      <Button icon="book" popoverTarget={id}>
        {t('Views')}
      </Button>
      <div
        id={id}
        popover="auto"
        role="group"
        className="menu saved-views"
        aria-label={t('Saved views')}
      >
        {views.length === 0 && <p className="fine-print">{t('Nothing is saved yet.')}</p>}
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <Link page="assets" search={view.search}>
                {view.name}
              </Link>
              <IconButton
                icon="trash"
                label={t('Remove the view {name}', { name: view.name })}
                onClick={() => keep(views.filter((each) => each !== view))}
              />
            </li>
          ))}
        </ul>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') save()
          }}
        >
          <TextField
            label={t('Save this view as')}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" disabled={name.trim() === ''}>
            {t('Save')}
          </Button>
        </form>
      </div>
    </>
  )
}
