import { type DragEvent, type ReactNode, useRef } from 'react'

import { t } from '../language/text.ts'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { humanBytes } from '../parts/format.ts'
import { chosenFiles, droppedFiles, type FoundFile } from './collect-files.ts'
import type { KeptUpload } from './queue/kept-uploads.ts'
import { unfinished } from './queue/uploads.ts'

interface UnfinishedProps {
  readonly uploads: readonly KeptUpload[]
}

/** What was begun before the page was loaded: its bytes are at the service, and its file is not here. */
export const UnfinishedList = ({ uploads }: UnfinishedProps) => (
  <section
    className="card stack"
    aria-label={t('Unfinished uploads')}
    data-takes-files
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => void drop(event)}
  >
    <UnfinishedRows uploads={uploads}>
      <h2>{t('Unfinished uploads')}</h2>
    </UnfinishedRows>
  </section>
)

/** Each goes on with its file; all of them where all files are chosen again, whichever is whose. */
export function UnfinishedRows({
  uploads,
  children,
}: UnfinishedProps & { readonly children?: ReactNode }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = () => input.current?.click()
  const lost = uploads.filter(({ handle }) => handle === undefined)
  return (
    <>
      <div className="spread">
        {children}
        {lost.length > 1 && (
          <Button icon="file" onClick={choose}>
            {t('Choose all files again to go on')}
          </Button>
        )}
      </div>
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
    </>
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
  const facts = { sent: humanBytes(offset), whole: humanBytes(sizeBytes), name }
  return (
    <li className="spread">
      <span>
        <strong>{path}</strong>{' '}
        <span className="fine-print">
          {t('{sent} of {whole} are there.', facts)}{' '}
          {handle === undefined && t('Choose {name} again to go on, or drop it here.', facts)}
        </span>
      </span>
      <span className="row">
        {handle === undefined ? (
          <Button
            icon="file"
            aria-label={t('Choose the file again: {path}', { path })}
            onClick={() => void goOn()}
          >
            {t('Choose the file again')}
          </Button>
        ) : (
          <Button icon="play" aria-label={t('Go on: {path}', { path })} onClick={() => void goOn()}>
            {t('Go on')}
          </Button>
        )}
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
    new Error(
      t('{name} ({size}) is not a file that one of these was begun with.', {
        name,
        size: humanBytes(size),
      }),
    ),
  )
}
