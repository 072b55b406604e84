import { plural, t } from '../language/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

import { Failure } from '../parts/feedback/failure.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { humanNumber } from '../parts/format.ts'
import type { FoundFile } from '../upload/collect-files.ts'
import { DropZone } from '../upload/drop-zone.tsx'
import { browserWorldOf } from '../upload/queue/browser-world.ts'
import { isFinished, type UploadItem } from '../upload/queue/upload-item.ts'
import { createUploadQueue, type UploadQueue } from '../upload/queue/upload-queue.ts'
import { pathIn } from '../upload/upload-target.ts'
import { previewReads } from './preview.ts'

interface PreviewIntakeProps {
  readonly zone: string
  readonly name: string
}

/** Files that are dropped here are seen in the preview alone; what is there already is replaced. */
export function PreviewIntake({ zone, name }: PreviewIntakeProps) {
  const [folder, setFolder] = useState('')
  const queue = useMemo(() => createUploadQueue(browserWorldOf(name)), [name])
  const { items } = useSyncExternalStore((listener) => queue.subscribe(listener), queue.snapshot)
  useReplacing(queue, items)
  useReadAgain(items)
  const add = (files: readonly FoundFile[]) =>
    queue.add(
      files.map((found) => ({ ...found, path: pathIn({ zone, folder }, found.relativePath) })),
    )
  return (
    <section className="stack preview-intake" aria-label={t('Files for the preview')}>
      <TextField
        label={t('Folder')}
        value={folder}
        placeholder="banners"
        spellCheck={false}
        autoCapitalize="none"
        hint={t(
          'Where in the preview files go. Leave it empty and dropped folders become categories.',
        )}
        onChange={({ target }) => setFolder(target.value)}
      />
      <DropZone onFiles={add}>
        <p className="drop-place">
          <span className="fine-print">{t('Files go into the preview, to')}</span>
          <code>{pathIn({ zone, folder }, '')}</code>
        </p>
      </DropZone>
      {items.length > 0 && <Sent items={items} queue={queue} />}
    </section>
  )
}

/** A preview is there to be changed: nobody is asked file by file. */
function useReplacing(queue: UploadQueue, items: readonly UploadItem[]): void {
  const isAsking = items.some(({ state }) => state === 'conflict')
  useEffect(() => {
    if (isAsking) queue.decide('replace')
  }, [isAsking, queue])
}

/** What the preview changes is read again once all is through. */
function useReadAgain(items: readonly UploadItem[]): void {
  const queries = useQueryClient()
  const isThrough = items.length > 0 && items.every(isFinished)
  useEffect(() => {
    if (isThrough)
      for (const each of previewReads) void queries.invalidateQueries({ queryKey: [each] })
  }, [isThrough, items.length, queries])
}

interface SentProps {
  readonly items: readonly UploadItem[]
  readonly queue: UploadQueue
}

function Sent({ items, queue }: SentProps) {
  const through = items.filter(isFinished)
  const failed = items.filter(({ state }) => state === 'failed')
  const sent = through.length - failed.length
  return (
    <div className="stack" role="status">
      <div className="spread">
        <p>
          {plural(
            items.length,
            {
              one: '{sent} of {count} file in the preview',
              other: '{sent} of {count} files in the preview',
            },
            { sent: humanNumber(sent) },
          )}
        </p>
        <span className="row">
          {failed.length > 0 && (
            <Button icon="retry" onClick={() => queue.retry()}>
              {t('Try again')}
            </Button>
          )}
          {through.length < items.length ? (
            <Button icon="close" onClick={() => queue.cancel()}>
              {t('Cancel')}
            </Button>
          ) : (
            <Button kind="quiet" onClick={() => queue.clear()}>
              {t('Clear')}
            </Button>
          )}
        </span>
      </div>
      <progress
        className="erasure-progress"
        value={through.length}
        max={items.length}
        aria-label={t('Files sent')}
      />
      {failed.map(({ id, path, fault }) => (
        <Failure key={id} error={new Error(`${path}: ${fault ?? 'It could not be sent.'}`)} />
      ))}
    </div>
  )
}
