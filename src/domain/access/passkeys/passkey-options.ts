import { createHash } from 'node:crypto'
import type { PasskeyRecord } from '../../../ports/access/passkey-store.ts'

/** Where passkeys are used: the page's origin, and the host name they are good for. */
export interface PasskeySite {
  readonly origin: string
  readonly rpId: string
}

export const challengeLifeSeconds = 300

/** EdDSA, ES256, RS256, the best first (COSE algorithm numbers). */
const algorithms = [-8, -7, -257]

/** The operators share one account. A handle says nothing but whether it is the same one. */
export const ownerHandle = (rpId: string, personId: string | undefined): string =>
  createHash('sha256')
    .update(personId === undefined ? `sedge operator ${rpId}` : `sedge person ${personId} ${rpId}`)
    .digest('base64url')

interface Creation {
  readonly site: PasskeySite
  /** What the owner has registered already. */
  readonly existing: readonly PasskeyRecord[]
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
}

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn level 3 §5.1). */
export const creationOptions = (
  challenge: string,
  { site: { rpId }, existing, user }: Creation,
) => ({
  challenge,
  rp: { id: rpId, name: 'Sedge' },
  user,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: challengeLifeSeconds * 1000,
  excludeCredentials: existing
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ id, transports }) => ({ id, type: 'public-key' as const, transports })),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
})

/** `PublicKeyCredentialRequestOptionsJSON`. Names no passkey, so it tells a stranger nothing. */
export const requestOptions = (challenge: string, { rpId }: PasskeySite) => ({
  challenge,
  rpId,
  timeout: challengeLifeSeconds * 1000,
  userVerification: 'required' as const,
  allowCredentials: [],
})
