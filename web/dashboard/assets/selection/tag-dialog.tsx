import { useState } from 'react'

import { plural, t } from '../../language/text.ts'
import { TextField } from '../../parts/forms/field.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { useBulk } from './use-bulk.ts'

/** Gives tags to all that is selected, or takes them; the others stay. */
export function TagDialog({ named, what, onClose }: BulkDialogProps) {
  const [text, setText] = useState('')
  const [action, setAction] = useState<'tag' | 'untag'>('tag')
  const [error, setError] = useState<unknown>()
  const { isBusy, run } = useBulk()
  const tags = text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
  const begin = async () => {
    const fault = await run({ ...named, Action: action, Tags: tags }, ({ Results }) => {
      const count = Results.filter(({ Outcome }) => Outcome === 'updated').length
      return plural(count, {
        one: 'Tags of {count} asset changed.',
        other: 'Tags of {count} assets changed.',
      })
    })
    if (fault === undefined) onClose(true)
    else setError(fault)
  }
  return (
    <BulkDialog
      title={t('Tag {what}', { what })}
      verb={action === 'tag' ? t('Add tags') : t('Remove tags')}
      isBusy={isBusy}
      canBegin={tags.length > 0}
      error={error}
      onClose={() => onClose(false)}
      onBegin={() => void begin()}
    >
      <TextField
        label={t('Tags')}
        hint={t('Separated by commas')}
        placeholder={t('spring, logo')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Segments
        label={t('What to do with them')}
        value={action}
        options={[
          { value: 'tag', label: t('Add') },
          { value: 'untag', label: t('Remove') },
        ]}
        onChange={setAction}
      />
    </BulkDialog>
  )
}
