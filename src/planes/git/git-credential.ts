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

type Scope = 'storage:read' | 'storage:write'

/** The credential that git sent, where it opens what the scope opens at the storage plane. */
export async function requireGitCredential(
  { request, peerAddress }: GitRequest,
  { authenticate, guesses, trustedProxies }: GitAccessDependencies,
  scope: Scope,
): Promise<Exclude<Credential, { kind: 'session' }>> {
  const address = clientAddress(request.headers, peerAddress, trustedProxies)
  const guess = isWithCredential(request) ? guesses.begin('git', address) : undefined
  const found = await authenticate(withBasicCredential(request), address)
  if (found.length > 0) guess?.wasGenuine()
  const credential = authorize({ keys: ['access'], scope }, found)
  if (credential === undefined || credential.kind === 'session')
    throw new ServiceError('Unauthorized', 'git needs the access key or a token')
  return credential
}

const isWithCredential = ({ headers }: Request): boolean =>
  ['Authorization', 'AccessKey'].some((name) => headers.has(name))
