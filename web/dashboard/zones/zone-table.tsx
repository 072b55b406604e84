import { useState } from 'react'

import { t } from '../language/text.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import type { Zone } from '../parts/one-zone.tsx'
import { useIsRoomy } from '../parts/use-is-narrow.ts'
import { Link } from '../router.tsx'
import { DeleteZone } from './delete-zone.tsx'
import { SuspendZone } from './suspend-zone.tsx'
import { useResume } from './use-resume.ts'
import { ZoneState } from './zone-state.tsx'
import { BandwidthCell, HitRatioCell, RequestsCell, useZoneTraffic } from './zone-traffic.tsx'

export function ZoneTable({ zones }: { readonly zones: readonly Zone[] }) {
  const isRoomy = useIsRoomy()
  const traffic = useZoneTraffic()
  const [doomed, setDoomed] = useState<Zone>()
  const [suspended, setSuspended] = useState<Zone>()
  return (
    <>
      <DataTable
        label={t('Zones')}
        columns={columnsWith({ onDelete: setDoomed, onSuspend: setSuspended, isRoomy, traffic })}
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
  readonly traffic: ReturnType<typeof useZoneTraffic>
}

const columnsWith = ({
  onSuspend,
  onDelete,
  isRoomy,
  traffic,
}: Choices): readonly Column<Zone>[] => [
  {
    title: t('Name'),
    width: 'minmax(8rem, 2fr)',
    cell: ({ Name }) => (
      <Link page="zone" search={{ zone: Name }}>
        {Name}
      </Link>
    ),
  },
  { title: t('State'), width: '6.5rem', cell: (zone) => <ZoneState {...zone} /> },
  {
    title: t('Files'),
    width: '4.5rem',
    isNumber: true,
    isOptional: true,
    cell: ({ Name, FileCount }) => (
      <Link page="assets" search={{ zone: Name }}>
        {humanNumber(FileCount)}
        <span className="hidden-text">{t('files of {name}', { name: Name })}</span>
      </Link>
    ),
  },
  {
    title: t('Stored'),
    width: '6rem',
    isNumber: true,
    isOptional: true,
    cell: ({ StorageUsed }) => humanBytes(StorageUsed),
  },
  ...trafficColumns(traffic),
  {
    title: t('Domains'),
    width: 'minmax(6rem, 2fr)',
    isOptional: true,
    cell: (zone) => <ZoneDomains {...zone} />,
  },
  {
    title: t('Actions'),
    width: isRoomy ? '17.5rem' : '8.5rem',
    cell: (zone) => (
      <ZoneActions zone={zone} onSuspend={() => onSuspend(zone)} onDelete={() => onDelete(zone)} />
    ),
  },
]

const trafficColumns = (traffic: Choices['traffic']): readonly Column<Zone>[] => [
  {
    title: t('Requests'),
    width: '8.5rem',
    isNumber: true,
    isOptional: true,
    cell: ({ Name }) => <RequestsCell isKnown={traffic.isKnown} traffic={traffic.of(Name)} />,
  },
  {
    title: t('Bandwidth'),
    width: '6.5rem',
    isNumber: true,
    isOptional: true,
    cell: ({ Name }) => <BandwidthCell isKnown={traffic.isKnown} traffic={traffic.of(Name)} />,
  },
  {
    title: t('Hit ratio'),
    width: '5rem',
    isNumber: true,
    isOptional: true,
    cell: ({ Name }) => <HitRatioCell isKnown={traffic.isKnown} traffic={traffic.of(Name)} />,
  },
]

const ZoneDomains = ({ Name, domains }: Zone) => (
  <Link page="zone" search={{ zone: Name, tab: 'domains' }}>
    {domains.length === 0 ? t('Add a domain') : domains.join(', ')}
  </Link>
)

interface ZoneActionsProps {
  readonly zone: Zone
  readonly onSuspend: () => void
  readonly onDelete: () => void
}

/** A suspended zone neither serves nor takes writes. */
function ZoneActions({ zone, onSuspend, onDelete }: ZoneActionsProps) {
  const { resume, isPending } = useResume(zone)
  return (
    <span className="row-actions">
      <Link
        page="purge"
        search={{ tag: `zone-${zone.Name}` }}
        className="icon-button"
        aria-label={t('Purge {name}', { name: zone.Name })}
        title={t('Purge {name}', { name: zone.Name })}
      >
        <Icon name="sweep" />
        <span className="action-word">{t('Purge')}</span>
      </Link>
      {zone.Suspended ? (
        <IconButton
          icon="play"
          label={t('Resume {name}', { name: zone.Name })}
          word={t('Resume')}
          disabled={isPending}
          needs={{ scope: 'zones:write', zone: null }}
          onClick={resume}
        />
      ) : (
        <IconButton
          icon="pause"
          label={t('Suspend {name}', { name: zone.Name })}
          word={t('Suspend')}
          needs={{ scope: 'zones:write', zone: null }}
          onClick={onSuspend}
        />
      )}
      <IconButton
        icon="trash"
        needs={{ scope: 'zones:write', zone: zone.Name }}
        label={t('Delete {name}', { name: zone.Name })}
        word={t('Delete')}
        onClick={onDelete}
      />
    </span>
  )
}
