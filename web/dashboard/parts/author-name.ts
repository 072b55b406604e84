import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'

const nameByKey: Readonly<Record<string, string>> = {
  'access-key': t('access key'),
  'account-key': t('account key'),
}

/** The kinds of credentials by their names; whoever committed by other means is named as they wrote. */
function authorName(author: string, tokenNames?: ReadonlyMap<string, string>): string {
  if (author.startsWith('session:')) return t('the dashboard')
  if (author.startsWith('person:')) return t('a person')
  if (author.startsWith('token:')) {
    const id = author.slice('token:'.length)
    return t('token {id}', { id: tokenNames?.get(id) ?? id })
  }
  return nameByKey[author] ?? author
}

/** Says who made a commit, tokens by the names that they were given. */
export function useAuthorName(): (author: string) => string {
  const tokens = useOperation('listTokens', {})
  const names = new Map(tokens.data?.Tokens.map(({ id, name }) => [id, name]))
  return (author) => authorName(author, names)
}
