import { useState } from 'react'

import type { Answer } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { IconButton } from '../parts/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Moment } from '../parts/moment.tsx'
import { toast, toastFailure } from '../parts/toasts.tsx'
import { TypedConfirmation } from '../parts/typed-confirmation.tsx'
import { Link } from '../router.tsx'

type Zone = Answer<'listZones'>[number]

export function ZoneTable({ zones }: { readonly zones: readonly Zone[] }) {
  const [doomed, setDoomed] = useState<Zone>()
  return (
    <>
      <DataTable
        label="Zones"
        columns={columnsWith(setDoomed)}
        rows={zones}
        keyOf={({ Id }) => Id}
        rowHeightPx={56}
      />
      {doomed && <DeleteZone zone={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}

const columnsWith = (onDelete: (zone: Zone) => void): readonly Column<Zone>[] => [
  {
    title: 'Name',
    width: 'minmax(8rem, 2fr)',
    cell: ({ Name }) => (
      <Link page="assets" search={{ zone: Name }}>
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
    cell: ({ FileCount }) => humanNumber(FileCount),
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
    width: '6rem',
    cell: (zone) => <ZoneActions zone={zone} onDelete={() => onDelete(zone)} />,
  },
]

const ZoneState = ({ Enabled, Suspended }: Zone) => {
  if (Suspended) return <Badge kind="bad">suspended</Badge>
  return Enabled ? <Badge kind="good">serving</Badge> : <Badge kind="warning">disabled</Badge>
}

/** A suspended zone neither serves nor takes writes. */
function ZoneActions({ zone, onDelete }: { readonly zone: Zone; readonly onDelete: () => void }) {
  const suspends = !zone.Suspended
  const change = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(`${zone.Name} is ${suspends ? 'suspended' : 'serving again'}.`),
  })
  return (
    <span className="row-actions">
      <IconButton
        icon={suspends ? 'pause' : 'play'}
        label={`${suspends ? 'Suspend' : 'Resume'} ${zone.Name}`}
        disabled={change.isPending}
        onClick={() =>
          change.mutate(
            { id: zone.Id, body: { Suspended: suspends } },
            { onError: (error) => toastFailure(error) },
          )
        }
      />
      <IconButton icon="trash" label={`Delete ${zone.Name}`} onClick={onDelete} />
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
