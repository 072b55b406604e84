import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { Badge, Moment } from '../parts/inline.tsx'
import { IconButton } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { useIsRoomy } from '../parts/use-is-narrow.ts'
import { Link } from '../router.tsx'
import { SuspendZone } from './suspend-zone.tsx'

type Zone = ResponseOf<'listZones'>[number]

export function ZoneTable({ zones }: { readonly zones: readonly Zone[] }) {
  const isRoomy = useIsRoomy()
  const [doomed, setDoomed] = useState<Zone>()
  const [suspended, setSuspended] = useState<Zone>()
  return (
    <>
      <DataTable
        label="Zones"
        columns={columnsWith({ onDelete: setDoomed, onSuspend: setSuspended, isRoomy })}
        rows={zones}
        keyOf={({ Id }) => Id}
        rowHeightPx={56}
      />
      {suspended && <SuspendZone zone={suspended} onClose={() => setSuspended(undefined)} />}
      {doomed && <DeleteZone zone={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}

interface Choices {
  readonly onSuspend: (zone: Zone) => void
  readonly onDelete: (zone: Zone) => void
  /** Whether there is room for words beside the signs. */
  readonly isRoomy: boolean
}

const columnsWith = ({ onSuspend, onDelete, isRoomy }: Choices): readonly Column<Zone>[] => [
  {
    title: 'Name',
    width: 'minmax(8rem, 2fr)',
    cell: ({ Name }) => (
      <Link page="zone" search={{ zone: Name }}>
        {Name}
      </Link>
    ),
  },
  { title: 'State', width: '7.5rem', cell: (zone) => <ZoneState {...zone} /> },
  {
    title: 'Files',
    width: '6rem',
    isNumber: true,
    isOptional: true,
    cell: ({ Name, FileCount }) => (
      <Link page="assets" search={{ zone: Name }}>
        {humanNumber(FileCount)}
        <span className="hidden-text"> files of {Name}</span>
      </Link>
    ),
  },
  {
    title: 'Stored',
    width: '7rem',
    isNumber: true,
    isOptional: true,
    cell: ({ StorageUsed }) => humanBytes(StorageUsed),
  },
  {
    title: 'Domains',
    width: 'minmax(6rem, 2fr)',
    isOptional: true,
    cell: ({ Name, domains }) => (
      <Link page="domains" search={{ zone: Name }}>
        {domains.length === 0 ? 'Add a domain' : domains.join(', ')}
      </Link>
    ),
  },
  {
    title: 'Created',
    width: '8.5rem',
    isOptional: true,
    cell: ({ DateCreated }) => <Moment time={DateCreated} />,
  },
  {
    title: 'Actions',
    width: isRoomy ? '17.5rem' : '8.5rem',
    cell: (zone) => (
      <ZoneActions zone={zone} onSuspend={() => onSuspend(zone)} onDelete={() => onDelete(zone)} />
    ),
  },
]

const ZoneState = ({ Enabled, Suspended }: Zone) => {
  if (Suspended) return <Badge kind="bad">suspended</Badge>
  return Enabled ? <Badge kind="good">serving</Badge> : <Badge kind="warning">disabled</Badge>
}

interface ZoneActionsProps {
  readonly zone: Zone
  readonly onSuspend: () => void
  readonly onDelete: () => void
}

/** A suspended zone neither serves nor takes writes. */
function ZoneActions({ zone, onSuspend, onDelete }: ZoneActionsProps) {
  const resume = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(`${zone.Name} is serving again.`),
  })
  return (
    <span className="row-actions">
      <Link
        page="purge"
        search={{ tag: `zone-${zone.Name}` }}
        className="icon-button"
        aria-label={`Purge ${zone.Name}`}
        title={`Purge ${zone.Name}`}
      >
        <Icon name="sweep" />
        <span className="action-word">Purge</span>
      </Link>
      {zone.Suspended ? (
        <IconButton
          icon="play"
          label={`Resume ${zone.Name}`}
          word="Resume"
          disabled={resume.isPending}
          onClick={() =>
            resume.mutate(
              { id: zone.Id, body: { Suspended: false } },
              { onError: (error) => toastFailure(error) },
            )
          }
        />
      ) : (
        <IconButton
          icon="pause"
          label={`Suspend ${zone.Name}`}
          word="Suspend"
          onClick={onSuspend}
        />
      )}
      <IconButton icon="trash" label={`Delete ${zone.Name}`} word="Delete" onClick={onDelete} />
    </span>
  )
}

function DeleteZone({ zone, onClose }: { readonly zone: Zone; readonly onClose: () => void }) {
  const remove = useChange('deleteZone', {
    changes: ['listZones', 'listAssets'],
    onSuccess: ({ FilesRemoved }) => {
      toast(`${zone.Name} and ${humanNumber(FilesRemoved)} files are deleted.`)
      onClose()
    },
  })
  return (
    <TypedConfirmation
      title={`Delete ${zone.Name}`}
      word={zone.Name}
      action="Delete the zone"
      isOpen
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: zone.Id })}
      onClose={onClose}
    >
      <p>
        Its {humanNumber(zone.FileCount)} files stop being served at once, and so do its domains.
        The repository keeps the history.
      </p>
    </TypedConfirmation>
  )
}
