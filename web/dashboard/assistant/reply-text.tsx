import { Fragment, type ReactNode } from 'react'

import { Link } from '../router.tsx'
import { assetOf } from './source-asset.ts'
import type { Source } from './reply.ts'

/** What of an answer is more than text: `[n]` for a source, code, and URLs. */
const special = /(\[\d{1,2}\]|`[^`\n]{1,300}`|https?:\/\/[^\s<>"'`)\]]{1,1000})/u

interface ReplyTextProps {
  readonly text: string
  readonly sources: readonly Source[]
}

/** An answer as text: nothing in it is markup, and links lead to `http` and `https` alone. */
export const ReplyText = ({ text, sources }: ReplyTextProps) => (
  <>
    {text.split(/\n{2,}/u).map((paragraph, place) => (
      <p key={place}>
        {paragraph.split(special).map((piece, index) => (
          <Fragment key={index}>{shown(piece, sources)}</Fragment>
        ))}
      </p>
    ))}
  </>
)

function shown(piece: string, sources: readonly Source[]): ReactNode {
  const number = /^\[(\d{1,2})\]$/u.exec(piece)?.[1]
  if (number !== undefined) {
    const source = sources[Number(number) - 1]
    return source === undefined ? piece : <SourceLink {...source}>{piece}</SourceLink>
  }
  if (piece.length > 1 && piece.startsWith('`') && piece.endsWith('`'))
    return <code>{piece.slice(1, -1)}</code>
  return /^https?:\/\//u.test(piece) ? (
    <SourceLink title="" url={piece}>
      {piece}
    </SourceLink>
  ) : (
    piece
  )
}

/**
 * A link to an asset's details, or one that opens beside the dashboard; text where it leads to nothing that a browser
 * should open.
 */
export function SourceLink({ title, url, children }: Source & { readonly children: ReactNode }) {
  const href = webUrl(url)
  if (href === undefined) return children
  const hint = title === '' ? undefined : title
  const asset = title === '' ? undefined : assetOf({ url })
  return asset === undefined ? (
    <a href={href} title={hint} target="_blank" rel="noopener">
      {children}
    </a>
  ) : (
    <Link page="assets" search={{ asset: asset.path }} title={hint}>
      {children}
    </Link>
  )
}

function webUrl(url: string): string | undefined {
  const parsed = URL.parse(url, location.origin)
  return parsed !== null && /^https?:$/u.test(parsed.protocol) ? parsed.href : undefined
}
