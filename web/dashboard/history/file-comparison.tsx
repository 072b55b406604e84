import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { IconButton } from '../parts/forms/button.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { humanBytes } from '../parts/format.ts'
import { Link, useSearch } from '../router.tsx'
import type { Ends } from './compared-files.tsx'
import { ChangeBadge, type Difference, sizeChange } from './difference.tsx'
import { OverlaidImages } from '../assets/overlaid-images.tsx'
import { isImagePath, StateImage } from '../assets/state-image.tsx'

interface FileComparisonProps {
  readonly zone: string
  readonly path: string
  /** The list it was chosen from. */
  readonly among: readonly Difference[]
  readonly ends: Ends
  readonly onClose: () => void
}

const manners = [
  { value: 'sides', label: t('Side by side') },
  { value: 'slider', label: t('Slider') },
  { value: 'onion', label: t('Onion skin') },
  { value: 'pixels', label: t('Pixels') },
] as const

type Manner = (typeof manners)[number]['value']

/** One file at two moments, large. */
export function FileComparison({ zone, path, among, ends, onClose }: FileComparisonProps) {
  const inList = among.find(({ Path }) => Path === path)
  // A page may be opened with a file that is far down the list.
  const found = useOperation(
    'getZoneDifferences',
    {
      id: zone,
      to: ends.to,
      path: path.split('/').slice(1).join('/'),
      ...(ends.from !== undefined && { from: ends.from }),
    },
    { isEnabled: inList === undefined },
  )
  return (
    <Dialog
      title={path.slice(path.lastIndexOf('/') + 1)}
      isOpen
      shape="wide"
      onClose={onClose}
      actions={<Steps path={path} among={among} />}
    >
      {inList ? (
        <Sides of={inList} ends={ends} />
      ) : (
        <QueryResult query={found} label={t('The file is loading')}>
          {({ Differences: [one] }) =>
            one === undefined ? (
              <p>{t('This file is the same at both moments, or was at neither.')}</p>
            ) : (
              <Sides of={one} ends={ends} />
            )
          }
        </QueryResult>
      )}
    </Dialog>
  )
}

/** The files before and after it in the list. */
function Steps({ path, among }: { readonly path: string; readonly among: readonly Difference[] }) {
  const [, change] = useSearch()
  const index = among.findIndex(({ Path }) => Path === path)
  const step = (by: number) => among[index + by]?.Path
  const go = (to: string | undefined) =>
    to !== undefined && change({ file: to }, { replaces: true })
  return (
    <div className="row comparison-steps">
      <span className="fine-print">
        {index < 0 ? '' : t('File {number} of {total}', { number: index + 1, total: among.length })}
      </span>
      <IconButton
        icon="left"
        label={t('The file before')}
        disabled={index <= 0}
        onClick={() => go(step(-1))}
      />
      <IconButton
        icon="right"
        label={t('The next file')}
        disabled={index < 0 || index === among.length - 1}
        onClick={() => go(step(1))}
      />
    </div>
  )
}

interface SidesProps {
  readonly of: Difference
  readonly ends: Ends
}

function Sides({ of, ends }: SidesProps) {
  const [{ how }, change] = useSearch()
  const { Path, Change, Before, After } = of
  const canOverlay = isImagePath(Path) && Before !== null && After !== null
  const wanted = manners.find(({ value }) => value === how)?.value ?? 'sides'
  const manner: Manner = canOverlay ? wanted : 'sides'
  return (
    <div className="stack">
      <div className="spread">
        <span className="row">
          <ChangeBadge change={Change} /> <span>{sizeChange(of)}</span>
        </span>
        {canOverlay && (
          <Segments
            label={t('How to compare')}
            value={manner}
            options={manners}
            onChange={(next) =>
              change({ how: next === 'sides' ? undefined : next }, { replaces: true })
            }
          />
        )}
      </div>
      {manner === 'sides' || ends.from === undefined ? (
        <div className="sides">
          <OneSide title={t('Before')} path={Path} commit={ends.from} state={Before} />
          <OneSide title={t('After')} path={Path} commit={ends.to} state={After} />
        </div>
      ) : (
        <OverlaidImages
          key={manner}
          path={Path}
          before={ends.from}
          after={ends.to}
          manner={manner}
        />
      )}
      <p className="fine-print">
        <code>{Path}</code>{' '}
        <Link page="assets" search={{ asset: Path }}>
          {t('Show the asset')}
        </Link>
      </p>
    </div>
  )
}

interface OneSideProps {
  readonly title: string
  readonly path: string
  readonly commit: string | undefined
  readonly state: Difference['Before']
}

const OneSide = ({ title, path, commit, state }: OneSideProps) => (
  <figure className="side">
    <StateImage
      path={path}
      commit={commit}
      isThere={state !== null}
      widthPx={800}
      heightPx={600}
      alt={title}
    />
    <figcaption>
      <strong>{title}</strong>
      <span className="fine-print">
        {state === null ? t('not there') : `${humanBytes(state.Size)}, ${state.ContentType}`}
      </span>
      {state !== null && (
        <span className="fine-print">
          {rich('SHA-256 {code}', {
            code: <code title={state.Checksum}>{state.Checksum.slice(0, 12)}…</code>,
          })}
        </span>
      )}
    </figcaption>
  </figure>
)
