import { useId, useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/forms/field.tsx'

interface PickerProps {
  readonly onPick: (item: string) => void
}

const offered = 12

/** An asset by a part of its name. */
export function UrlPicker({ onPick }: PickerProps) {
  const [text, setText] = useState('')
  const id = useId()
  const found = useOperation(
    'listAssets',
    { q: text, per_page: offered },
    { isEnabled: text.length > 1, keepsPrevious: true },
  )
  const paths = found.data?.Data.map(({ path }) => path) ?? []
  return (
    <>
      <TextField
        label={t('Find an asset')}
        type="search"
        list={id}
        value={text}
        placeholder={t('A part of its name')}
        onChange={({ target: { value } }) => {
          const isPicked = paths.includes(value)
          setText(isPicked ? '' : value)
          if (isPicked) onPick(`/${value.split('/').map(encodeURIComponent).join('/')}`)
        }}
      />
      <datalist id={id}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}

/** What assets are tagged with by themselves. */
export function TagPickers({ onPick }: PickerProps) {
  const zones = useOperation('listZones', {}).data ?? []
  const pick = (kind: string, label: string, values: readonly string[]) => (
    <SelectField
      label={label}
      value=""
      options={[
        { value: '', label: t('Choose') },
        ...[...new Set(values)].toSorted().map((value) => ({ value, label: value })),
      ]}
      onChange={({ target: { value } }) => value !== '' && onPick(tagOf(kind, value))}
    />
  )
  return (
    <div className="row pickers">
      {pick(
        'zone',
        t('Add a zone'),
        zones.map(({ Name }) => Name),
      )}
      {pick(
        'category',
        t('Add a category'),
        zones.flatMap(({ Categories }) => Categories),
      )}
    </div>
  )
}

/** As the service spells it: a tag has nothing but letters, digits, `_` and `-`. */
const tagOf = (kind: string, value: string): string =>
  `${kind}-${value}`.replaceAll(/[^\w-]/gu, '_').slice(0, 128)
