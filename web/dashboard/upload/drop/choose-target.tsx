import { useState } from 'react'

import { plural, t } from '../../language/text.ts'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { humanBytes } from '../../parts/format.ts'
import type { FoundFile } from '../collect-files.ts'
import { TargetFields } from '../target-fields.tsx'
import { pathIn, type UploadTarget } from '../upload-target.ts'

interface ChooseTargetProps {
  readonly files: readonly FoundFile[]
  readonly zones: readonly string[]
  readonly offered: UploadTarget
  readonly onClose: () => void
  readonly onChosen: (target: UploadTarget) => void
}

/** Asks where files go that were dropped where nothing says it. */
export function ChooseTarget({ files, zones, offered, onClose, onChosen }: ChooseTargetProps) {
  const [target, change] = useState(offered)
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <Dialog
      title={plural(files.length, {
        one: 'Where does {count} file go?',
        other: 'Where do {count} files go?',
      })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form="drop-target" disabled={target.zone === ''}>
            {t('Upload')}
          </Button>
        </>
      }
    >
      <form
        id="drop-target"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (target.zone !== '') onChosen(target)
        }}
      >
        <TargetFields target={target} zones={zones} onChange={change} />
        <p className="drop-place" role="status">
          <span className="fine-print">
            {target.zone === ''
              ? t('Choose a zone first')
              : t('{size} go to', { size: humanBytes(bytes) })}
          </span>
          {target.zone !== '' && <code>{pathIn(target, '')}</code>}
        </p>
      </form>
    </Dialog>
  )
}
