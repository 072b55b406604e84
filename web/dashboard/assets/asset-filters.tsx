import { useEffect, useRef, useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { useIsNarrow } from '../parts/use-is-narrow.ts'
import { useSearch } from '../router.tsx'
import { type Look, sortKeys } from './look.ts'
import { folderOf } from './place.ts'

const orders = [
  { value: 'date desc', label: t('Newest first') },
  { value: 'date asc', label: t('Oldest first') },
  { value: 'name asc', label: t('Name') },
  { value: 'size desc', label: t('Largest first') },
  { value: 'size asc', label: t('Smallest first') },
  { value: 'format asc', label: t('Type') },
  { value: 'dimensions desc', label: t('Most pixels first') },
  { value: 'path asc', label: t('Folder') },
] as const

interface AssetFiltersProps {
  readonly look: Look
  readonly onLook: (changes: Partial<Look>) => void
}

/** Everything the list is narrowed by. It is in the URL, so it can be sent and gone back from. */
export function AssetFilters(props: AssetFiltersProps) {
  const [search, change] = useSearch()
  const isNarrow = useIsNarrow()
  const byMeaning = search['by'] === 'meaning'
  const count = [folderOf(search), search['category'], search['format']].filter(Boolean).length
  return (
    <search className="filters">
      <QueryField />
      <Segments
        label={t('Search')}
        value={byMeaning ? 'meaning' : 'name'}
        options={[
          { value: 'name', label: t('By name') },
          { value: 'meaning', label: t('By meaning') },
        ]}
        onChange={(by) => change({ by: by === 'name' ? undefined : by })}
      />
      {isNarrow ? (
        // What is looked for is the assets: the rest opens on request.
        <details className="more-filters">
          <summary>{count === 0 ? t('Filters') : t('Filters ({count})', { count })}</summary>
          <div className="filters">
            <Narrowing {...props} />
          </div>
        </details>
      ) : (
        <Narrowing {...props} />
      )}
      {byMeaning && (
        <p className="fine-print meaning-hint">
          {t(
            'Compares your words with names, folders and categories, with colours and shapes, and with what is written in drawings and banners. What a photograph shows is not looked at.',
          )}
        </p>
      )}
    </search>
  )
}

function Narrowing({ look, onLook }: AssetFiltersProps) {
  const [search, change] = useSearch()
  const zones = useOperation('listZones', {}).data ?? []
  const zone = folderOf(search).split('/')[0] ?? ''
  const categories = categoriesOf(zones, zone === '' ? undefined : zone)
  const order = `${look.sort} ${look.order}`
  return (
    <>
      <SelectField
        label={t('Zone')}
        value={zone}
        options={choices(
          t('All zones'),
          zones.map(({ Name }) => Name),
        )}
        onChange={(event) =>
          change({ zone: event.target.value, folder: undefined, category: undefined })
        }
      />
      <SelectField
        label={t('Category')}
        value={search['category'] ?? ''}
        options={choices(t('All categories'), categories)}
        onChange={(event) => change({ category: event.target.value })}
      />
      <SelectField
        label={t('Format')}
        value={search['format'] ?? ''}
        options={choices(t('All formats'), formats)}
        onChange={(event) => change({ format: event.target.value })}
      />
      <SelectField
        label={t('Order')}
        disabled={search['by'] === 'meaning'}
        value={order}
        options={
          // The heads of columns have the other direction of each, too.
          orders.some(({ value }) => value === order)
            ? orders
            : [...orders, { value: order, label: t('By column') }]
        }
        onChange={(event) => {
          const [sort = '', direction] = event.target.value.split(' ')
          onLook({
            sort: sortKeys.find((each) => each === sort) ?? 'date',
            order: direction === 'asc' ? 'asc' : 'desc',
          })
        }}
      />
    </>
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
  const place = useRef<HTMLDivElement>(null)
  useSlash(() => place.current?.querySelector('input')?.focus())
  return (
    <div className="query-field" ref={place}>
      <Icon name="search" />
      <TextField
        label={t('Search assets')}
        type="search"
        aria-keyshortcuts="/"
        placeholder={search['by'] === 'meaning' ? t('a round green icon') : t('Name or path')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <IconButton icon="close" label={t('Clear the search')} onClick={() => setText('')} />
      )}
    </div>
  )
}

/** A slash begins a search, as it does elsewhere; not where it may be meant as a letter. */
function useSlash(begin: () => void): void {
  const wanted = useRef(begin)
  useEffect(() => {
    wanted.current = begin
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      const isTyped = target instanceof Element && target.closest('input, textarea, select, dialog')
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyped) return
      event.preventDefault()
      wanted.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
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
