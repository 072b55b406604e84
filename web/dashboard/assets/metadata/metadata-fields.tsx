import { type ReactNode, useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { AreaField, TextField } from '../../parts/forms/field.tsx'
import { currentLanguage } from '../../language/language.ts'
import type { MetadataDraft } from './draft.ts'

interface MetadataFieldsProps {
  readonly draft: MetadataDraft
  /** Whose own fields there are; `undefined` of several zones. */
  readonly zone: string | undefined
  readonly onChange: (draft: MetadataDraft) => void
  /** Tags of many have a dialog of their own, which adds and removes. */
  readonly hasTags?: boolean
}

interface Typed {
  readonly target: { readonly value: string }
}

/** Everything that can be said of an asset. */
export function MetadataFields(props: MetadataFieldsProps): ReactNode {
  const { draft, onChange, hasTags = true } = props
  const field = (key: 'title' | 'description' | 'tags' | 'copyright' | 'licence' | 'expires') => ({
    value: draft[key],
    onChange: ({ target }: Typed) => onChange({ ...draft, [key]: target.value }),
  })
  return (
    <>
      <TextField label={t('Title')} {...field('title')} />
      <AltFields {...props} />
      <AreaField label={t('Description')} {...field('description')} />
      {hasTags && (
        <TextField label={t('Tags')} hint={t('Separated by commas')} {...field('tags')} />
      )}
      <TextField label={t('Copyright')} {...field('copyright')} />
      <TextField
        label={t('Licence')}
        placeholder="CC-BY-4.0"
        spellCheck={false}
        {...field('licence')}
      />
      <TextField
        label={t('Expires')}
        type="date"
        hint={t('At the beginning of that day, UTC')}
        {...field('expires')}
      />
      <OwnFields {...props} />
    </>
  )
}

/** One text for each language that is there, and for one more. */
function AltFields({ draft, onChange }: MetadataFieldsProps) {
  const [added, setAdded] = useState<readonly string[]>([])
  const [next, setNext] = useState('')
  const all = [...new Set([...Object.keys(draft.alt), ...added])]
  const languages = all.length === 0 ? [currentLanguage()] : all
  return (
    <>
      {languages.map((language) => (
        <AreaField
          key={language}
          label={t('Alternative text ({language})', { language })}
          rows={2}
          lang={language}
          value={draft.alt[language] ?? ''}
          onChange={({ target }) =>
            onChange({ ...draft, alt: { ...draft.alt, [language]: target.value } })
          }
        />
      ))}
      <div className="add-language">
        <TextField
          label={t('Another language')}
          placeholder="de"
          maxLength={35}
          value={next}
          onChange={({ target }) => setNext(target.value.trim())}
        />
        <Button
          disabled={next === '' || languages.includes(next)}
          onClick={() => {
            setAdded([...languages, next])
            setNext('')
          }}
        >
          {t('Add')}
        </Button>
      </div>
    </>
  )
}

/** Those that the zone says, and those that are there. */
function OwnFields({ draft, zone, onChange }: MetadataFieldsProps) {
  const fields = useOperation(
    'getZoneFields',
    { id: zone ?? '' },
    { isEnabled: zone !== undefined },
  )
  const names = [...new Set([...namesIn(fields.data?.Schema), ...Object.keys(draft.custom)])]
  return names.map((name) => (
    <TextField
      key={name}
      label={name}
      value={draft.custom[name] ?? ''}
      onChange={({ target }) =>
        onChange({ ...draft, custom: { ...draft.custom, [name]: target.value } })
      }
    />
  ))
}

const maxFields = 40

/** The properties of a JSON Schema. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  const { properties } = schema
  return typeof properties === 'object' && properties !== null
    ? Object.keys(properties).slice(0, maxFields)
    : []
}
