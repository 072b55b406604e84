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

/** There is one account, the operator's; its handle says nothing but that. */
export const operatorHandle = (rpId: string): string =>
  createHash('sha256').update(`sedge operator ${rpId}`).digest('base64url')

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn level 3 §5.1). */
export const creationOptions = (
  challenge: string,
  { rpId }: PasskeySite,
  existing: readonly PasskeyRecord[],
) => ({
  challenge,
  rp: { id: rpId, name: 'Sedge' },
  user: { id: operatorHandle(rpId), name: 'operator', displayName: 'Operator' },
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
