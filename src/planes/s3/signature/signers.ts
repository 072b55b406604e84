import type { S3Keys } from '../../../domain/access/tokens/s3-keys.ts'
import type { FoundToken } from '../../../domain/access/tokens/token-index.ts'
import type { Tokens } from '../../../domain/access/tokens/tokens.ts'
import type { KeyGuesses } from '../../../http/access/key-guesses.ts'
import { S3Error } from '../s3-error.ts'
import type { CredentialScope } from './signature-claim.ts'
import { createSigningKeys } from './signing-key.ts'

interface Dependencies {
  readonly tokens: Pick<Tokens, 'byId' | 'use'>
  readonly s3Keys: Pick<S3Keys, 'secretsOf'>
  readonly guesses: KeyGuesses
}

interface Claimed {
  readonly accessKeyId: string
  readonly scope: CredentialScope
  readonly clientAddress: string
}

interface Proven<Proof> {
  readonly token: FoundToken
  readonly proof: Proof
}

/** Who may sign. */
export interface S3Signers {
  /**
   * The token with that access key. `prove` gets what it may have signed with, and fails where nothing of
   * it was. Networks from which much is wrong have to wait.
   */
  find<Proof>(claimed: Claimed, prove: (keys: readonly Buffer[]) => Proof): Proven<Proof>
}

export function createS3Signers({ tokens, s3Keys, guesses }: Dependencies): S3Signers {
  const keysOf = createSigningKeys(s3Keys)
  return {
    find({ accessKeyId, scope, clientAddress }, prove) {
      const guess = guesses.begin('S3', clientAddress)
      if (tokens.byId(accessKeyId)?.isForS3 !== true) throw unknownKey(accessKeyId)
      const proof = prove(keysOf(accessKeyId, scope))
      const token = tokens.use(accessKeyId)
      if (token === undefined) throw unknownKey(accessKeyId)
      guess.wasGenuine()
      return { token, proof }
    },
  }
}

const unknownKey = (accessKeyId: string): S3Error =>
  new S3Error(
    'InvalidAccessKeyId',
    'The AWS Access Key Id you provided does not exist in our records.',
    { elements: { AWSAccessKeyId: accessKeyId } },
  )
