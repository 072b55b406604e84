import { useEffect, useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { IconButton } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { useSearch } from '../router.tsx'

const orders = [
  { value: 'date desc', label: 'Newest first' },
  { value: 'date asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name' },
  { value: 'size desc', label: 'Largest first' },
  { value: 'size asc', label: 'Smallest first' },
  { value: 'format asc', label: 'Format' },
] as const

/** Everything the list is narrowed by. It is in the address, so it can be sent and gone back from. */
export function AssetFilters() {
  const [search, change] = useSearch()
  const zones = useOperation('listZones', {}).data ?? []
  const categories = categoriesOf(zones, search['zone'])
  const byMeaning = search['by'] === 'meaning'
  return (
    <search className="filters">
      <QueryField />
      <Segments
        label="Search"
        value={byMeaning ? 'meaning' : 'name'}
        options={[
          { value: 'name', label: 'By name' },
          { value: 'meaning', label: 'By meaning' },
        ]}
        onChange={(by) => change({ by: by === 'name' ? undefined : by })}
      />
      <SelectField
        label="Zone"
        value={search['zone'] ?? ''}
        options={choices(
          'All zones',
          zones.map(({ Name }) => Name),
        )}
        onChange={(event) => change({ zone: event.target.value, category: undefined })}
      />
      <SelectField
        label="Category"
        value={search['category'] ?? ''}
        options={choices('All categories', categories)}
        onChange={(event) => change({ category: event.target.value })}
      />
      <SelectField
        label="Format"
        value={search['format'] ?? ''}
        options={choices('All formats', formats)}
        onChange={(event) => change({ format: event.target.value })}
      />
      <SelectField
        label="Order"
        disabled={byMeaning}
        value={`${search['sort'] ?? 'date'} ${search['order'] ?? 'desc'}`}
        options={orders}
        onChange={(event) => {
          const [sort, order] = event.target.value.split(' ')
          change({ sort, order })
        }}
      />
    </search>
  )
}

/** Pictures, or lines with facts. */
export function ViewSwitch() {
  const [search, change] = useSearch()
  return (
    <Segments
      label="Shown as"
      value={search['view'] === 'list' ? 'list' : 'grid'}
      options={[
        { value: 'grid', label: 'Grid', icon: 'grid' },
        { value: 'list', label: 'List', icon: 'list' },
      ]}
      onChange={(view) => change({ view: view === 'grid' ? undefined : view })}
    />
  )
}

const formats = [
  'avif',
  'css',
  'gif',
  'jpg',
  'js',
  'json',
  'mp4',
  'pdf',
  'png',
  'svg',
  'txt',
  'webp',
]

const pauseMs = 200

/** Waits for a pause in typing. */
function QueryField() {
  const [search, change] = useSearch()
  const asked = search['q'] ?? ''
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(asked)
  if (shown !== asked) {
    setShown(asked)
    if (text.trim() !== asked) setText(asked)
  }
  useEffect(() => {
    if (text.trim() === asked) return undefined
    const timer = setTimeout(() => change({ q: text.trim() }, { replaces: true }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, asked, change])
  return (
    <div className="query-field">
      <Icon name="search" />
      <TextField
        label="Search assets"
        type="search"
        placeholder={search['by'] === 'meaning' ? 'a red bicycle at dusk' : 'Name or path'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <IconButton icon="close" label="Clear the search" onClick={() => setText('')} />
      )}
    </div>
  )
}

const choices = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: value })),
]

function categoriesOf(
  zones: readonly { readonly Name: string; readonly Categories: readonly string[] }[],
  zone: string | undefined,
): readonly string[] {
  const shown = zones.filter(({ Name }) => zone === undefined || Name === zone)
  return [...new Set(shown.flatMap(({ Categories }) => Categories))].toSorted()
}
