import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

import type { PasskeyRecord } from '../../ports/access/passkey-store.ts'
import type {
  ExpectedResponse,
  NewPasskey,
  PasskeyVerifier,
} from '../../ports/access/passkey-verifier.ts'

/** EdDSA, ES256 and RS256: what authenticators have. */
const supportedAlgorithms = [-8, -7, -257]

/** Passkey answers, checked by the SimpleWebAuthn library. */
export class WebauthnPasskeyVerifier implements PasskeyVerifier {
  /** Loading the library takes longer than starting the service, and most starts never need it. */
  readonly #library = once(() => import('@simplewebauthn/server'))
  readonly #helpers = once(() => import('@simplewebauthn/server/helpers'))

  async registration(answer: unknown, expected: ExpectedResponse): Promise<NewPasskey | undefined> {
    return await orUndefined(async () => {
      const response = answer as RegistrationResponseJSON
      if (!(await this.#isPlainAttestation(response))) return undefined
      const { verifyRegistrationResponse } = await this.#library()
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: expected.challenge,
        expectedOrigin: expected.origin,
        expectedRPID: expected.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: [...supportedAlgorithms],
      })
      if (registrationInfo === undefined) return undefined
      const { credential, credentialBackedUp } = registrationInfo
      if (credential.id !== response.id) return undefined
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: knownTransports(credential.transports),
        isBackedUp: credentialBackedUp,
      }
    })
  }

  async authentication(
    answer: unknown,
    { id, publicKey, counter, transports }: PasskeyRecord,
    expected: ExpectedResponse,
  ): Promise<number | undefined> {
    return await orUndefined(async () => {
      const { verifyAuthenticationResponse } = await this.#library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: expected.challenge,
        expectedOrigin: expected.origin,
        expectedRPID: expected.rpId,
        requireUserVerification: true,
        credential: {
          id,
          publicKey: Uint8Array.fromBase64(publicKey, { alphabet: 'base64url' }),
          counter,
          transports: knownTransports(transports),
        },
      })
      return verified ? authenticationInfo.newCounter : undefined
    })
  }

  /**
   * We ask for no attestation. One with certificates is not even looked at: checking it would fetch
   * revocation lists from addresses that the certificates name.
   */
  async #isPlainAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
    const { decodeAttestationObject } = await this.#helpers()
    const bytes = Uint8Array.fromBase64(response.attestationObject, { alphabet: 'base64url' })
    const attestation = decodeAttestationObject(bytes)
    const format = attestation.get('fmt')
    return (
      format === 'none' ||
      (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
    )
  }
}

/** The library throws at whatever is wrong; why is nobody's business. */
async function orUndefined<T>(check: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

const transports: ReadonlySet<unknown> = new Set([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
])

const knownTransports = (given: unknown): AuthenticatorTransport[] =>
  Array.isArray(given)
    ? given.filter((each): each is AuthenticatorTransport => transports.has(each))
    : []
