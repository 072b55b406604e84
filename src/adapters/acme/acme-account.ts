import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

import { type AcmeResponse, isBadNonce } from './acme-problem.ts'
import { type Directory, locationOf } from './acme-resources.ts'
import type { AcmeTransport } from './acme-transport.ts'

interface Registering {
  readonly transport: AcmeTransport
  readonly directory: Directory
  /** PEM of a key on P-256. */
  readonly keyPem: string
  /** Where the authority writes to. */
  readonly email: string | undefined
}

/** As often as a nonce may turn out to be too old, one request after another. */
const maxNonces = 5
/** Kept of those that came with answers. */
const maxKeptNonces = 16

/** An account of an authority, and the requests that are signed with its key (RFC 8555 §6). */
export class AcmeAccount {
  readonly directory: Directory
  readonly #transport: AcmeTransport
  readonly #key: KeyObject
  readonly #jwk: Readonly<Record<string, unknown>>
  readonly #nonces: string[] = []
  #url: string | undefined

  private constructor({ transport, directory, keyPem }: Registering) {
    this.#transport = transport
    this.directory = directory
    this.#key = createPrivateKey(keyPem)
    const { crv, kty, x, y } = createPublicKey(this.#key).export({ format: 'jwk' })
    this.#jwk = { crv, kty, x, y }
  }

  /** Registers the key, or finds the account that it has (RFC 8555 §7.3). */
  static async register(registering: Registering): Promise<AcmeAccount> {
    const { directory, email } = registering
    const account = new AcmeAccount(registering)
    const answer = await account.post(directory.newAccount, {
      termsOfServiceAgreed: true,
      ...(email !== undefined && { contact: [`mailto:${email}`] }),
    })
    account.#url = locationOf(answer)
    return account
  }

  /** Without a payload it only reads (POST-as-GET, RFC 8555 §6.3). */
  async post(url: string, payload?: Readonly<Record<string, unknown>>): Promise<AcmeResponse> {
    for (let nonces = 1; ; nonces += 1) {
      const nonce = this.#nonces.pop() ?? (await this.#newNonce())
      const answer = await this.#transport(url, {
        method: 'POST',
        body: this.#signed({ url, nonce, payload }),
      })
      this.#keepNonce(answer)
      if (!isBadNonce(answer)) return answer
      if (nonces === maxNonces) throw new Error('it takes none of its own nonces')
    }
  }

  /** What answers a challenge with that token (RFC 8555 §8.1). */
  keyAuthorization(token: string): string {
    // The members stand in the order that RFC 7638 §3.3 wants.
    const thumbprint = createHash('sha256').update(JSON.stringify(this.#jwk)).digest('base64url')
    return `${token}.${thumbprint}`
  }

  async #newNonce(): Promise<string> {
    const nonce = nonceOf(await this.#transport(this.directory.newNonce, { method: 'HEAD' }))
    if (nonce === undefined) throw new Error('it gives no nonce')
    return nonce
  }

  #keepNonce(answer: AcmeResponse): void {
    const nonce = nonceOf(answer)
    if (nonce !== undefined && this.#nonces.length < maxKeptNonces) this.#nonces.push(nonce)
  }

  #signed({ url, nonce, payload }: Unsigned): string {
    const signer = this.#url === undefined ? { jwk: this.#jwk } : { kid: this.#url }
    const head = base64url(JSON.stringify({ alg: 'ES256', nonce, url, ...signer }))
    const body = payload === undefined ? '' : base64url(JSON.stringify(payload))
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    })
    const signed = { protected: head, payload: body, signature: signature.toString('base64url') }
    return JSON.stringify(signed)
  }
}

interface Unsigned {
  readonly url: string
  readonly nonce: string
  readonly payload: Readonly<Record<string, unknown>> | undefined
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

function nonceOf({ headers }: AcmeResponse): string | undefined {
  const nonce = headers['replay-nonce']
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}
