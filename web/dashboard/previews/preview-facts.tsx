import type { ReactNode } from 'react'

import { countAll } from '../history/difference.tsx'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { humanNumber, humanTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import type { Preview } from './preview.ts'
import { useLiveSince } from './use-live-commit.ts'

/** Where it is seen, until when, and whether live has moved on meanwhile. */
export const PreviewFacts = ({ preview }: { readonly preview: Preview }) => (
  <section className="card stack" aria-label={t('About the preview')}>
    <dl className="facts">
      <Address name="Files are at" url={preview.Url} />
      {preview.HostUrl !== null && <Address name="Opens at" url={preview.HostUrl} isOpened />}
      <Fact name={t('Seen by')}>
        {preview.Signed ? t('whoever has a signed URL') : t('everybody')}
      </Fact>
      <Fact name={t('Expires')}>
        {humanTime(preview.Expires)} (<Moment time={preview.Expires} />)
      </Fact>
      <Fact name={t('Begins with')}>
        <Link page="compare" search={{ zone: preview.Zone, to: preview.Base }}>
          <code>{preview.Base.slice(0, 10)}</code>
        </Link>
      </Fact>
      <Fact name={t('Written to with')}>
        {rich('<code>Sedge-Preview: {name}</code>, or <code>-o preview={name}</code> of a push', {
          name: preview.Name,
          code: (text) => <code className="unbroken">{text}</code>,
        })}
      </Fact>
    </dl>
    <MovedOn preview={preview} />
  </section>
)

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

interface AddressProps {
  readonly name: string
  readonly url: string
  readonly isOpened?: boolean
}

const Address = ({ name, url, isOpened = false }: AddressProps) => (
  <Fact name={name}>
    <span className="row">
      {isOpened ? (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ) : (
        <code>{url}</code>
      )}
      <CopyButton text={url} />
    </span>
  </Fact>
)

/** What was published since it was made is not in it. */
function MovedOn({ preview }: { readonly preview: Preview }) {
  const { Zone, Base } = preview
  const live = useLiveSince(preview)
  const count = live.data === undefined ? 0 : countAll(live.data)
  if (live.data === undefined || count === 0) return null
  const { Commit } = live.data.To
  const link = (text: string) => (
    <Link page="compare" search={{ zone: Zone, from: Base, to: Commit }}>
      {text}
    </Link>
  )
  return (
    <div className="note">
      <Icon name="info" />
      <p>
        {count === 1
          ? rich(
              'One file that is live is other than when this preview was made. <link>See which</link>',
              { link },
            )
          : rich(
              '{count} files that are live are other than when this preview was made. <link>See which</link>',
              { count: humanNumber(count), link },
            )}
      </p>
    </div>
  )
}
