import type { PasskeyRecord } from './passkey-store.ts'

/** What a response of an authenticator has to be about. */
export interface ExpectedResponse {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
}

export type NewPasskey = Pick<
  PasskeyRecord,
  'id' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'
>

/**
 * Checks what authenticators answer (WebAuthn level 3 §7). `answer` is the `PublicKeyCredential` as JSON
 * and may be anything at all. Whatever is wrong with it is answered with `undefined`; nothing is fetched
 * from anywhere. The person must have been there and have proved who they are.
 */
export interface PasskeyVerifier {
  registration(response: unknown, expected: ExpectedResponse): Promise<NewPasskey | undefined>
  /** Answers the authenticator's counter. */
  authentication(
    response: unknown,
    passkey: PasskeyRecord,
    expected: ExpectedResponse,
  ): Promise<number | undefined>
}
