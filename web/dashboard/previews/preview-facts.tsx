import type { ReactNode } from 'react'

import { countAll } from '../history/difference.tsx'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { humanNumber, humanTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import type { Preview } from './preview.ts'
import { useLiveSince } from './use-live-commit.ts'

/** Where it is seen, until when, and whether live has moved on meanwhile. */
export const PreviewFacts = ({ preview }: { readonly preview: Preview }) => (
  <section className="card stack" aria-label="About the preview">
    <dl className="facts">
      <Address name="Files are at" url={preview.Url} />
      {preview.HostUrl !== null && <Address name="Opens at" url={preview.HostUrl} isOpened />}
      <Fact name="Seen by">{preview.Signed ? 'whoever has a signed URL' : 'everybody'}</Fact>
      <Fact name="Expires">
        {humanTime(preview.Expires)} (<Moment time={preview.Expires} />)
      </Fact>
      <Fact name="Begins with">
        <Link page="compare" search={{ zone: preview.Zone, to: preview.Base }}>
          <code>{preview.Base.slice(0, 10)}</code>
        </Link>
      </Fact>
      <Fact name="Written to with">
        <code className="unbroken">Sedge-Preview: {preview.Name}</code>, or{' '}
        <code className="unbroken">-o preview={preview.Name}</code> of a push
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
  return (
    <div className="note">
      <Icon name="info" />
      <p>
        {count === 1 ? 'One file that is live is' : `${humanNumber(count)} files that are live are`}{' '}
        other than when this preview was made.{' '}
        <Link page="compare" search={{ zone: Zone, from: Base, to: live.data.To.Commit }}>
          See which
        </Link>
      </p>
    </div>
  )
}
