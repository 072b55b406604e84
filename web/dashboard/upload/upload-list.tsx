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
  if (state === 'sending')
    return (
      <progress
        className="progress"
        aria-label={`${item.path} is being sent`}
        max={Math.max(1, file.size)}
        value={sentBytes}
      />
    )
  return (
    <span title={fault}>
      <Badge kind={faces[state].kind}>{faces[state].text}</Badge>
      {fault !== undefined && <span className="upload-fault"> {fault}</span>}
    </span>
  )
}

function Actions({ item: { id, state, path } }: { readonly item: UploadItem }) {
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
  if (state === 'queued' || state === 'sending')
    return <IconButton icon="close" label={`Cancel ${path}`} onClick={() => uploads.cancel(id)} />
  if (state === 'failed' || state === 'cancelled')
    return <IconButton icon="retry" label={`Try ${path} again`} onClick={() => uploads.retry(id)} />
  return null
}
