import type { Authenticator, Credential } from './authorize.ts'

/** What a genuine token opens, and the id it has in logs. */
export type BearerGrant = Omit<Extract<Credential, { kind: 'token' }>, 'kind'>

/** Recognises bearer tokens (RFC 6750 §2.1); `find` knows the genuine ones. */
export const bearerAuthenticator =
  (find: (secret: string) => BearerGrant | undefined): Authenticator =>
  ({ headers }) => {
    const field = headers.get('authorization')
    const secret = field === null ? undefined : /^bearer +(\S+) *$/iu.exec(field)?.[1]
    const grant = secret === undefined ? undefined : find(secret)
    return grant === undefined ? [] : [{ kind: 'token', ...grant }]
  }
