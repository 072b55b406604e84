import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Moment } from '../parts/inline.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { type MadeToken, NewToken } from './new-token.tsx'
import { RotateToken } from './rotate-token.tsx'

type Token = ResponseOf<'listTokens'>['Tokens'][number]

interface TokenTableProps {
  readonly tokens: readonly Token[]
}

export function TokenTable({ tokens }: TokenTableProps) {
  const [doomed, setDoomed] = useState<Token>()
  const [rotating, setRotating] = useState<Token>()
  const [made, setMade] = useState<MadeToken>()
  return (
    <>
      <DataTable
        label={t('Tokens')}
        columns={columnsWith({ onRevoke: setDoomed, onRotate: setRotating })}
        rows={tokens}
        keyOf={({ id }) => id}
        rowHeightPx={72}
      />
      {rotating && (
        <RotateToken token={rotating} onClose={() => setRotating(undefined)} onRotated={setMade} />
      )}
      <NewToken made={made} onClose={() => setMade(undefined)} />
      {doomed && <RevokeToken token={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}

interface TokenActions {
  readonly onRevoke: (token: Token) => void
  readonly onRotate: (token: Token) => void
}

const columnsWith = ({ onRevoke, onRotate }: TokenActions): readonly Column<Token>[] => [
  {
    title: t('Name'),
    width: 'minmax(8rem, 1.5fr)',
    cell: ({ name, prefix, owner, zones, expiresAt }) => (
      <span>
        {name} <code className="fine-print">{prefix}…</code>
        <br />
        <span className="fine-print">
          {owner !== null && `${owner.name} · `}
          {rich('{zones}, until {moment}', {
            zones: zones?.join(', ') ?? t('all zones'),
            moment: <Moment time={expiresAt} />,
          })}
        </span>
      </span>
    ),
  },
  {
    title: t('Permissions'),
    isOptional: true,
    width: 'minmax(8rem, 2fr)',
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    title: t('Last used'),
    width: '8rem',
    isOptional: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment time={lastUsedAt} />),
  },
  {
    title: t('Actions'),
    width: '14rem',
    cell: (token) => (
      <span className="row-actions">
        {!token.s3 && (
          <Button kind="quiet" icon="retry" onClick={() => onRotate(token)}>
            {rich('Rotate <hidden>{name}</hidden>', { name: token.name, hidden })}
          </Button>
        )}
        <Button kind="quiet" icon="trash" onClick={() => onRevoke(token)}>
          {rich('Revoke <hidden>{name}</hidden>', { name: token.name, hidden })}
        </Button>
      </span>
    ),
  },
]

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const revoke = useChange('revokeToken', {
    changes: ['listTokens'],
    onSuccess: () => {
      toast(t('The token {name} is revoked.', { name: token.name }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('Revoke {name}', { name: token.name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="danger"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate({ id: token.id })}
          >
            {t('Revoke the token')}
          </Button>
        </>
      }
    >
      {revoke.isError && <Failure error={revoke.error} />}
      <p>{t('Whatever uses it is refused from the next request on. It cannot be brought back.')}</p>
    </Dialog>
  )
}
