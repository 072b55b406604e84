import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { humanBytes } from '../parts/format.ts'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { chosenFiles, droppedFiles, pickedFiles, type FoundFile } from './collect-files.ts'
import { maxFileBytes } from './queue/size-limit.ts'

interface DropZoneProps {
  readonly onFiles: (files: readonly FoundFile[]) => void
  /** Where they go. */
  readonly children: ReactNode
}

/** Files and whole folders, dropped or chosen. */
export function DropZone({ onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const { data: limit } = useQuery({ queryKey: ['maxFileBytes'], queryFn: maxFileBytes })
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    try {
      onFiles(await droppedFiles(event.dataTransfer))
    } catch {
      toastFailure(new Error(t('The browser could not read what was dropped.')))
    }
  }
  return (
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <Icon name="upload" />
      <p>
        <strong>{t('Drop files or folders here')}</strong>
      </p>
      {children}
      <p className="fine-print">
        {limit === undefined
          ? t('Files of any size. Folders keep their structure.')
          : t('Files of up to {size}. Folders keep their structure.', { size: humanBytes(limit) })}
      </p>
      <div className="row">
        <Chooser label={t('Choose files')} onFiles={onFiles} isFolder={false} />
        <Chooser label={t('Choose a folder')} onFiles={onFiles} isFolder />
      </div>
    </div>
  )
}

interface ChooserProps extends Pick<DropZoneProps, 'onFiles'> {
  readonly label: string
  readonly isFolder: boolean
}

function Chooser({ label, isFolder, onFiles }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = async () => {
    const picked = isFolder ? undefined : await pickedFiles()
    if (picked === undefined) input.current?.click()
    else if (picked.length > 0) onFiles(picked)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        onChange={({ target }) => {
          if (target.files) onFiles(chosenFiles(target.files))
          target.value = ''
        }}
      />
      <Button icon={isFolder ? 'folder' : 'file'} onClick={() => void choose()}>
        {label}
      </Button>
    </>
  )
}
