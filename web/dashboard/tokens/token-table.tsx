import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Moment } from '../parts/inline.tsx'
import { toast } from '../parts/feedback/toasts.tsx'

type Token = ResponseOf<'listTokens'>['Tokens'][number]

export function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  const [doomed, setDoomed] = useState<Token>()
  return (
    <>
      <DataTable
        label="Tokens"
        columns={columnsWith(setDoomed)}
        rows={tokens}
        keyOf={({ id }) => id}
        rowHeightPx={56}
      />
      {doomed && <RevokeToken token={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}

const columnsWith = (onRevoke: (token: Token) => void): readonly Column<Token>[] => [
  {
    title: 'Name',
    width: 'minmax(8rem, 1.5fr)',
    cell: ({ name, prefix }) => (
      <>
        {name} <code className="fine-print">{prefix}…</code>
      </>
    ),
  },
  {
    title: 'It may',
    width: 'minmax(8rem, 2fr)',
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    title: 'In zones',
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ zones }) => zones?.join(', ') ?? 'all',
  },
  {
    title: 'Last used',
    width: '8rem',
    isOptional: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment time={lastUsedAt} />),
  },
  {
    title: 'Expires',
    width: '8rem',
    isOptional: true,
    cell: ({ expiresAt }) => <Moment time={expiresAt} />,
  },
  {
    title: 'Actions',
    width: '7rem',
    cell: (token) => (
      <span className="row-actions">
        <Button kind="quiet" icon="trash" onClick={() => onRevoke(token)}>
          Revoke<span className="hidden-text"> {token.name}</span>
        </Button>
      </span>
    ),
  },
]

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const revoke = useChange('revokeToken', {
    changes: ['listTokens'],
    onSuccess: () => {
      toast(`The token ${token.name} is revoked.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Revoke ${token.name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate({ id: token.id })}
          >
            Revoke the token
          </Button>
        </>
      }
    >
      {revoke.isError && <Failure error={revoke.error} />}
      <p>Whatever uses it is refused from the next request on. It cannot be brought back.</p>
    </Dialog>
  )
}
