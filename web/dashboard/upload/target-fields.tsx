import { useId } from 'react'

import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import type { UploadTarget } from './upload-target.ts'

interface TargetFieldsProps {
  readonly target: UploadTarget
  readonly zones: readonly string[]
  readonly onChange: (target: UploadTarget) => void
}

const folders = ['banners', 'github', 'icons', 'logos', 'private', 'titles']

/** A zone, and a folder in it that need not be there yet. */
export function TargetFields({ target, zones, onChange }: TargetFieldsProps) {
  const id = useId()
  return (
    <>
      <SelectField
        label={t('Zone')}
        value={target.zone}
        options={[
          ...(target.zone === '' ? [{ value: '', label: t('Choose a zone') }] : []),
          ...zones.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(event) => onChange({ ...target, zone: event.target.value })}
      />
      <TextField
        label={t('Folder')}
        value={target.folder}
        list={id}
        spellCheck={false}
        hint={t(
          'The first folder is the category. Leave it empty and dropped folders become categories.',
        )}
        onChange={(event) => onChange({ ...target, folder: event.target.value })}
      />
      <datalist id={id}>
        {folders.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
