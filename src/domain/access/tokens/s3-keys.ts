import { Secret } from '../../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from '../derived-key.ts'

/** The secret access keys of tokens that sign requests of S3. None is kept: each follows from an id. */
export interface S3Keys {
  /** The one that is given out. */
  secretOf(tokenId: string): Secret
  /** Every one that is good, the newest first. */
  secretsOf(tokenId: string): readonly Secret[]
}

/** As many characters as clients know secret access keys to have; 160 bits. */
const secretLength = 40

/** `newest` makes keys; what `former` made stays good. */
export function createS3Keys(newest: Secret, former: readonly Secret[]): S3Keys {
  const newestKey = deriveKey(newest, 's3 key')
  const keys = [newestKey, ...former.map((each) => deriveKey(each, 's3 key'))]
  return {
    secretOf: (tokenId) => secretUnder(newestKey, tokenId),
    secretsOf: (tokenId) => keys.map((key) => secretUnder(key, tokenId)),
  }
}

const secretUnder = (key: Uint8Array, tokenId: string): Secret =>
  new Secret(hmacSha256(key, tokenId).toString('hex').slice(0, secretLength))
