import { type DragEvent, useRef } from 'react'

import { t } from '../language/text.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { humanBytes } from '../parts/format.ts'
import { chosenFiles, droppedFiles, type FoundFile } from './collect-files.ts'
import type { KeptUpload } from './queue/kept-uploads.ts'
import { unfinished } from './queue/uploads.ts'

/** What was begun before the page was loaded: its bytes are at the service, and its file is not here. */
export function UnfinishedList({ uploads }: { readonly uploads: readonly KeptUpload[] }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = () => input.current?.click()
  return (
    <section
      className="card stack"
      aria-label={t('Unfinished uploads')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => void drop(event)}
    >
      <h2>{t('Unfinished uploads')}</h2>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t('Choose the files again')}
        onChange={({ target }) => {
          if (target.files) void goOnWith(chosenFiles(target.files))
          target.value = ''
        }}
      />
      <ul className="unfinished">
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} onChoose={choose} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly upload: KeptUpload
  readonly onChoose: () => void
}

function Row({ upload, onChoose }: RowProps) {
  const { path, name, offset, sizeBytes, handle } = upload
  const goOn = async () => {
    if (!(await unfinished.goOn(upload))) onChoose()
  }
  return (
    <li className="spread">
      <span>
        <strong>{path}</strong>{' '}
        <span className="fine-print">
          {t('{offset} of {sizeBytes} are there.', {
            offset: humanBytes(offset),
            sizeBytes: humanBytes(sizeBytes),
          })}
          {handle === undefined && t('Choose {name} again to go on, or drop it here.', { name })}
        </span>
      </span>
      <span className="row">
        <Button
          icon={handle === undefined ? 'file' : 'play'}
          aria-label={`${handle === undefined ? t('Choose the file again') : t('Go on')}: ${path}`}
          onClick={() => void goOn()}
        >
          {handle === undefined ? t('Choose the file again') : t('Go on')}
        </Button>
        <IconButton
          icon="close"
          label={t('Cancel {path}', { path })}
          onClick={() => unfinished.cancel(upload)}
        />
      </span>
    </li>
  )
}

async function drop(event: DragEvent): Promise<void> {
  event.preventDefault()
  await goOnWith(await droppedFiles(event.dataTransfer))
}

async function goOnWith(files: readonly FoundFile[]): Promise<void> {
  const [other] = await unfinished.take(files)
  if (other === undefined) return
  const { name, size } = other.file
  toastFailure(
    new Error(`${name} (${humanBytes(size)}) is not a file that one of these was begun with.`),
  )
}
