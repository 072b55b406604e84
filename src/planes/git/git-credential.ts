import { ServiceError } from '../../domain/errors.ts'
import { type Authenticate, authorize, type Credential } from '../../http/access/authorize.ts'
import type { KeyGuesses } from '../../http/access/key-guesses.ts'
import { clientAddress } from '../../http/request/client-address.ts'
import type { AddressList } from '../../lib/net/address-list.ts'
import { withBasicCredential } from './basic-credential.ts'

export interface GitAccessDependencies {
  readonly authenticate: Authenticate
  readonly guesses: KeyGuesses
  readonly trustedProxies: AddressList
}

/** A request as it came, and from where. */
export interface GitRequest {
  readonly request: Request
  readonly peerAddress: string
}

export interface GitCaller {
  readonly credential: GitCredential
  readonly found: readonly Credential[]
  readonly address: string
}

type Scope = 'storage:read' | 'storage:write'

type GitCredential = Exclude<Credential, { kind: 'session' }>

/** The credential that git sent, where it opens what the scope opens at the storage plane. */
export const requireGitCredential = async (
  asked: GitRequest,
  dependencies: GitAccessDependencies,
  scope: Scope,
): Promise<GitCredential> => (await gitCaller(asked, dependencies, scope)).credential

/** The same, with all that was found to be genuine, and where the request came from. */
export async function gitCaller(
  { request, peerAddress }: GitRequest,
  { authenticate, guesses, trustedProxies }: GitAccessDependencies,
  scope: Scope,
): Promise<GitCaller> {
  const address = clientAddress(request.headers, peerAddress, trustedProxies)
  const guess = isWithCredential(request) ? guesses.begin('git', address) : undefined
  const found = await authenticate(withBasicCredential(request), address)
  if (found.length > 0) guess?.wasGenuine()
  const credential = authorize({ keys: ['access', 'account'], scope }, found)
  if (credential === undefined || credential.kind === 'session')
    throw new ServiceError('Unauthorized', 'git needs the access key or a token')
  return { credential, found, address }
}

const isWithCredential = ({ headers }: Request): boolean =>
  ['Authorization', 'AccessKey'].some((name) => headers.has(name))
