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
  checking: { text: 'Comparing', kind: 'plain' },
  conflict: { text: 'Stored with other content', kind: 'warning' },
  queued: { text: 'Waiting', kind: 'plain' },
  sending: { text: 'Sending', kind: 'busy' },
  paused: { text: 'Paused', kind: 'warning' },
  stored: { text: 'Pending', kind: 'busy' },
  live: { text: 'Live', kind: 'good' },
  unchanged: { text: 'There already', kind: 'good' },
  skipped: { text: 'Skipped', kind: 'plain' },
  cancelled: { text: 'Cancelled', kind: 'plain' },
  failed: { text: 'Failed', kind: 'bad' },
}

const columns: readonly Column<UploadItem>[] = [
  { title: 'File', width: 'minmax(8rem, 3fr)', cell: (item) => <Name item={item} /> },
  {
    title: 'Size',
    width: '6rem',
    isNumber: true,
    isOptional: true,
    cell: ({ file }) => humanBytes(file.size),
  },
  { title: 'State', width: 'minmax(7rem, 2fr)', cell: (item) => <State item={item} /> },
  { title: 'Actions', width: 'minmax(3rem, 10rem)', cell: (item) => <Actions item={item} /> },
]

export const UploadList = ({ items }: { readonly items: readonly UploadItem[] }) => (
  <DataTable label="Uploads" columns={columns} rows={items} keyOf={({ id }) => String(id)} />
)

const Name = ({ item: { path, state } }: { readonly item: UploadItem }) =>
  state === 'live' || state === 'unchanged' ? (
    <Link page="assets" search={{ asset: path }} title={path}>
      {path}
    </Link>
  ) : (
    <span title={path}>{path}</span>
  )

function State({ item }: { readonly item: UploadItem }) {
  const { state, sentBytes, file, fault } = item
  const part = `${humanBytes(sentBytes)} of ${humanBytes(file.size)}`
  if (state === 'sending')
    return (
      <span title={part}>
        <progress
          className="progress"
          aria-label={`${item.path} is being sent`}
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

function Actions({ item }: { readonly item: UploadItem }) {
  const { id, state, path } = item
  if (state === 'conflict')
    return (
      <>
        <Button
          kind="quiet"
          aria-label={`Replace ${path}`}
          onClick={() => uploads.decide('replace', id)}
        >
          Replace
        </Button>
        <Button kind="quiet" aria-label={`Skip ${path}`} onClick={() => uploads.decide('skip', id)}>
          Skip
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
          label={isUndone(state) ? `Try ${path} again` : `Cancel ${path}`}
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
    <IconButton icon="play" label={`Go on with ${path}`} onClick={() => uploads.goOn(id)} />
  ) : (
    <IconButton icon="pause" label={`Pause ${path}`} onClick={() => uploads.pause(id)} />
  )
