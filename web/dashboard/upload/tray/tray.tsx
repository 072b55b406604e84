import { useState } from 'react'

import { plural, t } from '../../language/text.ts'
import { IconButton } from '../../parts/forms/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useKeptFocus } from '../../parts/use-kept-focus.ts'
import { Link } from '../../router.tsx'
import type { KeptUpload } from '../queue/kept-uploads.ts'
import type { UploadSnapshot } from '../queue/upload-book.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { uploads } from '../queue/uploads.ts'
import { UnfinishedRows } from '../unfinished-list.tsx'
import { UploadActions, UploadProgress } from '../upload-list.tsx'
import { UploadNews } from '../upload-news.tsx'
import { Conflicts, factsOf, Offline, WholeProgress } from '../upload-summary.tsx'
import { attentionFirst, sumsOf, titleOf, type UploadSums } from '../upload-sums.ts'

interface TrayProps {
  readonly snapshot: UploadSnapshot
  readonly unfinished: readonly KeptUpload[]
}

/** More would be a page: that of uploads has them all. */
const shownItems = 40

/** In a corner above the page; folded it is its head alone. */
export function Tray({ snapshot, unfinished }: TrayProps) {
  const [isFolded, setFolded] = useState(isKeptFolded)
  const keepsFocus = useKeptFocus()
  const sums = sumsOf(snapshot)
  const fold = (folded: boolean) => {
    setFolded(folded)
    keepFolded(folded)
  }
  return (
    <section
      className="upload-tray"
      aria-label={t('Upload tray')}
      tabIndex={-1}
      data-takes-files
      {...keepsFocus}
    >
      <TrayHead sums={sums} unfinished={unfinished.length} isFolded={isFolded} onFold={fold} />
      {sums.all > 0 && <WholeProgress {...sums} />}
      <UploadNews {...sums} />
      {!isFolded && (
        <div className="tray-body">
          {unfinished.length > 0 && (
            <section aria-label={t('Unfinished uploads')} className="stack">
              <UnfinishedRows uploads={unfinished}>
                <h3>{t('Unfinished uploads')}</h3>
              </UnfinishedRows>
            </section>
          )}
          {snapshot.isOffline && <Offline />}
          {sums.count('conflict') > 1 && <Conflicts count={sums.count('conflict')} />}
          <TrayItems items={attentionFirst(snapshot.items)} />
        </div>
      )}
    </section>
  )
}

interface TrayHeadProps {
  readonly sums: UploadSums
  /** How many wait for their files. */
  readonly unfinished: number
  readonly isFolded: boolean
  readonly onFold: (isFolded: boolean) => void
}

function TrayHead({ sums, unfinished, isFolded, onFold }: TrayHeadProps) {
  return (
    <div className="tray-head">
      <button
        type="button"
        className="tray-fold"
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      >
        <Icon name={isFolded ? 'up' : 'down'} />
        <span className="tray-title">
          <strong>
            {sums.all > 0
              ? titleOf(sums)
              : plural(unfinished, {
                  one: '{count} unfinished upload',
                  other: '{count} unfinished uploads',
                })}
          </strong>
          {sums.all > 0 && <span className="fine-print">{factsOf(sums)}</span>}
        </span>
      </button>
      <TrayButtons {...sums} />
    </div>
  )
}

/** For all of them. */
function TrayButtons({ left, all, count }: UploadSums) {
  const areHeld = count('paused') === left
  return (
    <span className="row">
      {count('failed') > 0 && (
        <IconButton icon="retry" label={t('Try failed again')} onClick={() => uploads.retry()} />
      )}
      {left > 0 && (
        <>
          <IconButton
            icon={areHeld ? 'play' : 'pause'}
            label={areHeld ? t('Go on with all') : t('Pause all')}
            onClick={() => (areHeld ? uploads.goOn() : uploads.pause())}
          />
          <IconButton icon="close" label={t('Cancel all')} onClick={() => uploads.cancel()} />
        </>
      )}
      {left === 0 && all > 0 && (
        <IconButton icon="close" label={t('Clear finished')} onClick={() => uploads.clear()} />
      )}
    </span>
  )
}

function TrayItems({ items }: { readonly items: readonly UploadItem[] }) {
  const more = items.length - shownItems
  return (
    <>
      <ul className="tray-items" aria-label={t('Uploads')}>
        {items.slice(0, shownItems).map((item) => (
          <TrayItem key={item.id} item={item} />
        ))}
      </ul>
      {items.length > 0 && (
        <p className="fine-print">
          {more > 0 && plural(more, { one: 'And {count} more.', other: 'And {count} more.' })}{' '}
          <Link page="upload">{t('Show all uploads')}</Link>
        </p>
      )}
    </>
  )
}

function TrayItem({ item }: { readonly item: UploadItem }) {
  const { path, state } = item
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isThere = state === 'live' || state === 'unchanged'
  return (
    <li>
      <span className="tray-name" title={path}>
        {isThere ? (
          <Link page="assets" search={{ asset: path }}>
            {name}
          </Link>
        ) : (
          name
        )}
      </span>
      <span className="tray-state">
        <UploadProgress item={item} />
      </span>
      <span className="tray-actions">
        <UploadActions item={item} />
      </span>
    </li>
  )
}

const key = 'sedge.upload-tray'

const isKeptFolded = (): boolean => localStorage.getItem(key) === 'folded'
const keepFolded = (isFolded: boolean): void =>
  localStorage.setItem(key, isFolded ? 'folded' : 'open')
