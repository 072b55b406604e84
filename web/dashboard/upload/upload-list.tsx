import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanBytes } from '../parts/format.ts'
import { Link } from '../router.tsx'
import type { UploadItem, UploadState } from './queue/upload-item.ts'
import { uploads } from './queue/uploads.ts'

const faces: Readonly<
  Record<
    UploadState,
    { readonly text: string; readonly kind: 'plain' | 'good' | 'warning' | 'bad' | 'busy' }
  >
> = {
  checking: { text: t('Comparing'), kind: 'plain' },
  conflict: { text: t('Stored with other content'), kind: 'warning' },
  queued: { text: t('Waiting'), kind: 'plain' },
  sending: { text: t('Sending'), kind: 'busy' },
  paused: { text: t('Paused'), kind: 'warning' },
  stored: { text: t('Pending'), kind: 'busy' },
  live: { text: t('Live'), kind: 'good' },
  unchanged: { text: t('There already'), kind: 'good' },
  skipped: { text: t('Skipped'), kind: 'plain' },
  cancelled: { text: t('Cancelled'), kind: 'plain' },
  failed: { text: t('Failed'), kind: 'bad' },
}

const columns: readonly Column<UploadItem>[] = [
  { title: t('File'), width: 'minmax(8rem, 3fr)', cell: (item) => <Name item={item} /> },
  {
    title: t('Size'),
    width: '6rem',
    isNumber: true,
    isOptional: true,
    cell: ({ file }) => humanBytes(file.size),
  },
  { title: t('State'), width: 'minmax(7rem, 2fr)', cell: (item) => <UploadProgress item={item} /> },
  {
    title: t('Actions'),
    width: 'minmax(3rem, 10rem)',
    cell: (item) => <UploadActions item={item} />,
  },
]

export const UploadList = ({ items }: { readonly items: readonly UploadItem[] }) => (
  <DataTable label={t('Uploads')} columns={columns} rows={items} keyOf={({ id }) => String(id)} />
)

const Name = ({ item: { path, state } }: { readonly item: UploadItem }) =>
  state === 'live' || state === 'unchanged' ? (
    <Link page="assets" search={{ asset: path }} title={path}>
      {path}
    </Link>
  ) : (
    <span title={path}>{path}</span>
  )

/** How far it is, or what became of it. */
export function UploadProgress({ item }: { readonly item: UploadItem }) {
  const { state, sentBytes, file, fault } = item
  const part = t('{sent} of {whole}', { sent: humanBytes(sentBytes), whole: humanBytes(file.size) })
  if (state === 'sending')
    return (
      <span title={part}>
        <progress
          className="progress"
          aria-label={t('{path} is being sent', { path: item.path })}
          max={Math.max(1, file.size)}
          value={sentBytes}
        />
      </span>
    )
  return (
    <span title={fault}>
      <Badge kind={faces[state].kind}>{faces[state].text}</Badge>
      {state === 'paused' && sentBytes > 0 && <span className="upload-fault"> {part}</span>}
      {fault !== undefined && <span className="upload-fault"> {fault}</span>}
    </span>
  )
}

/** What can be done with it as it is. */
export function UploadActions({ item }: { readonly item: UploadItem }) {
  const { id, state, path } = item
  if (state === 'conflict')
    return (
      <>
        <Button
          kind="quiet"
          aria-label={t('Replace {path}', { path })}
          onClick={() => uploads.decide('replace', id)}
        >
          {t('Replace')}
        </Button>
        <Button
          kind="quiet"
          aria-label={t('Skip {path}', { path })}
          onClick={() => uploads.decide('skip', id)}
        >
          {t('Skip')}
        </Button>
      </>
    )
  // Each stays the same element whatever it says, so that the keyboard does not lose it.
  return (
    <>
      {(isUnsent(state) || state === 'paused') && <HoldButton item={item} />}
      {(isUnsent(state) || state === 'paused' || isUndone(state)) && (
        <IconButton
          icon={isUndone(state) ? 'retry' : 'close'}
          label={isUndone(state) ? t('Try {path} again', { path }) : t('Cancel {path}', { path })}
          onClick={() => (isUndone(state) ? uploads.retry(id) : uploads.cancel(id))}
        />
      )}
    </>
  )
}

const isUnsent = (state: UploadState): boolean => state === 'queued' || state === 'sending'
const isUndone = (state: UploadState): boolean => state === 'failed' || state === 'cancelled'

const HoldButton = ({ item: { id, state, path } }: { readonly item: UploadItem }) =>
  state === 'paused' ? (
    <IconButton
      icon="play"
      label={t('Go on with {path}', { path })}
      onClick={() => uploads.goOn(id)}
    />
  ) : (
    <IconButton
      icon="pause"
      label={t('Pause {path}', { path })}
      onClick={() => uploads.pause(id)}
    />
  )
