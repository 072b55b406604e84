import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { Link } from '../../router.tsx'
import { TokenTable } from '../../tokens/token-table.tsx'

/** The tokens that reach a zone: those for it, and those for all zones. */
export function ZoneTokens({ zone }: { readonly zone: string }) {
  const tokens = useOperation('listTokens', {})
  return (
    <QueryResult query={tokens} label={t('The tokens are loading')}>
      {({ Tokens }) => {
        const reaching = Tokens.filter(({ zones }) => zones?.includes(zone) ?? true)
        return reaching.length === 0 ? (
          <EmptyState icon="key" title={t('No token reaches {zone}', { zone })}>
            <p>{t('A program needs one to store files or to change rules.')}</p>
            <p className="row">
              <Link page="tokens" className="button button-primary">
                {t('Create a token')}
              </Link>
            </p>
          </EmptyState>
        ) : (
          <div className="stack">
            <TokenTable tokens={reaching} />
            <p>
              <Link page="tokens">{t('All tokens')}</Link>
            </p>
          </div>
        )
      }}
    </QueryResult>
  )
}
