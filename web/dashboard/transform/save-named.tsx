import { useState } from 'react'

import { useChange, useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { namePattern, readTransforms, withTransform } from './named-transforms.ts'
import type { Recipe } from './recipe.ts'

interface SaveNamedProps {
  readonly zone: string
  readonly recipe: Recipe
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

/** Gives what is set a name, by a line of the zone's `_transforms`. */
export function SaveNamed({ zone, recipe, onSaved, onClose }: SaveNamedProps) {
  const [name, setName] = useState('')
  const rules = useOperation('getRules', { zone })
  const content = rules.data?.Transforms ?? ''
  const fault = faultOf(name, content)
  const save = useChange('updateRules', {
    changes: ['getRules', 'listRuleVersions'],
    onSuccess: () => {
      toast(t('{name} is saved.', { name }))
      onSaved(name)
      onClose()
    },
  })
  const send = () =>
    save.mutate({
      body: { File: '_transforms', Zone: zone, Content: withTransform(content, name, recipe) },
    })
  return (
    <Dialog title={t('Save as a named transform')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (name !== '' && fault === undefined && rules.isSuccess) send()
        }}
      >
        {(save.error ?? rules.error) !== null && <Failure error={save.error ?? rules.error} />}
        <TextField
          label={t('Name')}
          value={name}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          fault={fault}
          hint={t('URLs with this name follow whenever the transform is changed.')}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={name === '' || fault !== undefined || !rules.isSuccess}
            isBusy={save.isPending}
          >
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function faultOf(name: string, content: string): string | undefined {
  if (name === '') return undefined
  if (!namePattern.test(name))
    return t('A letter, then up to 39 letters, digits and hyphens, all lower case.')
  return readTransforms(content).has(name)
    ? t('The zone has a transform {name} already.', { name })
    : undefined
}
