import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Segments } from '../parts/forms/segments.tsx'
import type { Zone } from '../parts/one-zone.tsx'
import { Link } from '../router.tsx'

type Kind = ResponseOf<'getZoneStorage'>['Kinds'][number]
type By = 'Format' | 'Category'

const bys = [
  { value: 'Format', label: t('By type') },
  { value: 'Category', label: t('By folder') },
] as const

const shown = 8

/** What the files of a zone take, by their type or their folder. */
export function ZoneStorage({ zone }: { readonly zone: Zone }) {
  const storage = useOperation('getZoneStorage', { id: zone.Name })
  const [by, setBy] = useState<By>('Format')
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Storage')}</h2>
        <Segments label={t('Storage by')} value={by} options={bys} onChange={setBy} />
      </div>
      <QueryResult query={storage} label={t('The storage is loading')}>
        {({ Kinds }) =>
          Kinds.length === 0 ? (
            <p className="fine-print">{t('Nothing is stored yet.')}</p>
          ) : (
            <StorageBars zone={zone.Name} by={by} sums={sumsOf(Kinds, by)} />
          )
        }
      </QueryResult>
    </section>
  )
}

interface Sum {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

/** Most bytes first. */
function sumsOf(kinds: readonly Kind[], by: By): readonly Sum[] {
  const sums = new Map<string, Sum>()
  for (const kind of kinds) {
    const name = kind[by]
    const { files, bytes } = sums.get(name) ?? { files: 0, bytes: 0 }
    sums.set(name, { name, files: files + kind.FileCount, bytes: bytes + kind.Bytes })
  }
  return [...sums.values()].toSorted((one, other) => other.bytes - one.bytes)
}

interface StorageBarsProps {
  readonly zone: string
  readonly by: By
  readonly sums: readonly Sum[]
}

const StorageBars = ({ zone, by, sums }: StorageBarsProps) => (
  <>
    <ol className="bars">
      {sums.slice(0, shown).map(({ name, files, bytes }) => (
        <li key={name}>
          <Link
            page="assets"
            search={{ zone, ...(by === 'Format' ? { format: name } : { category: name }) }}
          >
            {by === 'Format' ? name.toUpperCase() : name}
          </Link>
          <span className="fine-print">
            {plural(files, { one: '1 file', other: '{count} files' })}, {humanBytes(bytes)}
          </span>
          <meter min={0} max={sums[0]?.bytes ?? 1} value={bytes}>
            {bytes}
          </meter>
        </li>
      ))}
    </ol>
    {sums.length > shown && (
      <p className="fine-print">
        {t('and {length} more', { length: humanNumber(sums.length - shown) })}
      </p>
    )}
  </>
)
