import { type DragEvent, type ReactNode, useRef, useState } from 'react'

import { Button } from '../parts/forms/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { chosenFiles, droppedFiles, type FoundFile } from './collect-files.ts'

interface DropZoneProps {
  readonly onFiles: (files: readonly FoundFile[]) => void
  /** Where they go. */
  readonly children: ReactNode
}

/** Files and whole folders, dropped or chosen. */
export function DropZone({ onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    try {
      onFiles(await droppedFiles(event.dataTransfer))
    } catch {
      toastFailure(new Error('The browser could not read what was dropped.'))
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
        <strong>Drop files or folders here</strong>
      </p>
      {children}
      <p className="fine-print">Files of any size. Folders keep their structure.</p>
      <div className="row">
        <Chooser label="Choose files" onFiles={onFiles} isFolder={false} />
        <Chooser label="Choose a folder" onFiles={onFiles} isFolder />
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
      <Button icon={isFolder ? 'folder' : 'file'} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}
