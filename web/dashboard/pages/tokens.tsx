import { useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useOpening } from '../parts/forms/use-opening.ts'
import { CreateToken } from '../tokens/create-token.tsx'
import { type MadeToken, NewToken } from '../tokens/new-token.tsx'
import { TokenTable } from '../tokens/token-table.tsx'

/** Keys for programs, each with what it may do. */
export function Page() {
  const tokens = useOperation('listTokens', {})
  const [isCreating, setCreating] = useOpening()
  const [made, setMade] = useState<MadeToken>()
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Create a token')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Tokens')}
        lead={t(
          'Keys for programs. Each can do only what it is told, in the zones it is told, until it expires.',
        )}
      >
        {create}
      </PageHeader>
      <QueryResult query={tokens} label={t('The tokens are loading')}>
        {({ Tokens }) =>
          Tokens.length === 0 ? (
            <EmptyState icon="key" title={t('There is no token yet')}>
              <p>
                {t(
                  'Give a build server one that may write files to one zone, and it can do nothing else.',
                )}
              </p>
              <p className="row">{create}</p>
            </EmptyState>
          ) : (
            <TokenTable tokens={Tokens} />
          )
        }
      </QueryResult>
      <CreateToken
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(created) => {
          setCreating(false)
          setMade(created)
        }}
      />
      <NewToken made={made} onClose={() => setMade(undefined)} />
    </>
  )
}
