import { useState } from 'react'

import { t } from '../../language/text.ts'
import { changedMembers, emptyDraft } from '../metadata/draft.ts'
import { MetadataFields } from '../metadata/metadata-fields.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { useBulk } from './use-bulk.ts'

interface DescribeDialogProps extends BulkDialogProps {
  /** Whose own fields there are; `undefined` of several zones. */
  readonly zone: string | undefined
}

/** Says the same of all that is selected. What is left empty stays as it is. */
export function DescribeDialog({ named, what, zone, onClose }: DescribeDialogProps) {
  const [draft, change] = useState(emptyDraft)
  const [error, setError] = useState<unknown>()
  const { isBusy, run } = useBulk()
  const metadata = changedMembers(emptyDraft, draft)
  const begin = async () => {
    const body = { ...named, Action: 'set' as const, Metadata: metadata }
    const fault = await run(body, () => t('{what} described.', { what }))
    if (fault === undefined) onClose(true)
    else setError(fault)
  }
  return (
    <BulkDialog
      title={t('Describe {what}', { what })}
      verb={t('Save')}
      isBusy={isBusy}
      canBegin={Object.keys(metadata).length > 0}
      error={error}
      onClose={() => onClose(false)}
      onBegin={() => void begin()}
    >
      <p className="fine-print">{t('What is left empty stays as it is.')}</p>
      <MetadataFields draft={draft} zone={zone} hasTags={false} onChange={change} />
    </BulkDialog>
  )
}
