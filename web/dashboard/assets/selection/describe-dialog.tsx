import { useState } from 'react'

import type { Input } from '../../../../src/client/types.ts'
import { t } from '../../language/text.ts'
import { AreaField, TextField } from '../../parts/forms/field.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { useBulk } from './use-bulk.ts'

type Metadata = NonNullable<Input<'changeAssets'>['body']['Metadata']>

const members = ['Title', 'Alt', 'Description', 'Copyright', 'Licence'] as const
type Member = (typeof members)[number]

const labels: Readonly<Record<Member, string>> = {
  Title: 'Title',
  Alt: 'Alternative text',
  Description: 'Description',
  Copyright: 'Copyright',
  Licence: 'Licence',
}

/** Says the same of all that is selected. What is left empty stays as it is. */
export function DescribeDialog({ named, what, onClose }: BulkDialogProps) {
  const [texts, setTexts] = useState<Partial<Record<Member, string>>>({})
  const [language, setLanguage] = useState('en')
  const [error, setError] = useState<unknown>()
  const { isBusy, run } = useBulk()
  const metadata = metadataOf(texts, language)
  const begin = async () => {
    const body = { ...named, Action: 'set' as const, Metadata: metadata }
    const fault = await run(body, () => t('{what} described.', { what }))
    if (fault === undefined) onClose(true)
    else setError(fault)
  }
  const set = (member: Member, text: string) => setTexts({ ...texts, [member]: text })
  return (
    <BulkDialog
      title={t('Describe {what}', { what })}
      verb="Save"
      isBusy={isBusy}
      canBegin={Object.keys(metadata).length > 0}
      error={error}
      onClose={() => onClose(false)}
      onBegin={() => void begin()}
    >
      <p className="fine-print">{t('What is left empty stays as it is.')}</p>
      {members.map((member) => {
        const Field = member === 'Description' ? AreaField : TextField
        return (
          <Field
            key={member}
            label={labels[member]}
            value={texts[member] ?? ''}
            onChange={(event: { readonly target: { readonly value: string } }) =>
              set(member, event.target.value)
            }
          />
        )
      })}
      <TextField
        label={t('Language of the alternative text')}
        value={language}
        onChange={(event) => setLanguage(event.target.value)}
      />
    </BulkDialog>
  )
}

function metadataOf(texts: Partial<Record<Member, string>>, language: string): Metadata {
  const { Alt, ...others } = texts
  const said = Object.entries(others).flatMap(([member, text]) =>
    text.trim() === '' ? [] : [[member, text.trim()] as const],
  )
  const alt = Alt?.trim() ?? ''
  return { ...Object.fromEntries(said), ...(alt !== '' && { Alt: { [language.trim()]: alt } }) }
}
