import { useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import type { NamedTransform } from './named-transforms.ts'
import type { Recipe } from './recipe.ts'
import { SaveNamed } from './save-named.tsx'

interface PresetFieldProps {
  readonly zone: string
  readonly transforms: readonly NamedTransform[]
  /** The name that is shown, if one is. */
  readonly value: string | undefined
  readonly recipe: Recipe
  readonly onChoose: (name: string | undefined) => void
}

/** The named transforms of a zone to begin with, and the way to make one of what is set. */
export function PresetField({ zone, transforms, value, recipe, onChoose }: PresetFieldProps) {
  const [isSaving, setSaving] = useState(false)
  const isEmpty = Object.values(recipe).every((each) => each === undefined || each === '')
  return (
    <div className="stack preset">
      <SelectField
        label={t('Named transform')}
        value={value ?? ''}
        options={[
          { value: '', label: t('None') },
          ...transforms.map(({ name, isOwn }) => ({
            value: name,
            label: isOwn ? name : t('{name}, of all zones', { name }),
          })),
        ]}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
      />
      <Button
        needs={{ scope: 'rules:write', zone }}
        disabled={isEmpty || value !== undefined}
        onClick={() => setSaving(true)}
      >
        {t('Save as a named transform')}
      </Button>
      {isSaving && (
        <SaveNamed
          zone={zone}
          recipe={recipe}
          onSaved={onChoose}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  )
}
