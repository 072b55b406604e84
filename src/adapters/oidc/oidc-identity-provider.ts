import { createHash } from 'node:crypto'

import * as client from 'openid-client'

import {
  type BegunSignIn,
  type IdentityProvider,
  IdentityRefusedError,
  type ProvidedIdentity,
  ProviderUnavailableError,
  type SignInChecks,
} from '../../ports/access/identity-provider.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { claimText, groupsOf } from './claims.ts'
import { createProviderFetch, type ProviderFetch } from './provider-fetch.ts'

interface Options {
  readonly issuer: string
  readonly clientId: string
  /** Without one the client is public: PKCE alone proves it. */
  readonly clientSecret: Secret | undefined
  /** Which claim has the groups; a path with dots, e.g. `realm_access.roles`. */
  readonly groupsClaim: string
  readonly scope: string
  readonly now: () => Date
  readonly timeoutMs?: number
}

/** How far the provider's clock may be off. */
const clockToleranceSeconds = 60
/** So long what the provider says of itself is not asked for again. */
const discoveredForMs = 600_000
const defaultTimeoutMs = 5000

type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core 1.0: authorization code with PKCE, and each ID token checked by the provider's keys. */
export class OidcIdentityProvider implements IdentityProvider {
  readonly #options: Options
  readonly #fetch: ProviderFetch
  #discovered: { readonly metadata: client.ServerMetadata; readonly atMs: number } | undefined

  constructor(options: Options) {
    this.#options = options
    const { issuer, timeoutMs = defaultTimeoutMs } = options
    this.#fetch = createProviderFetch({ issuer: new URL(issuer), timeoutMs })
  }

  async begin(redirectUrl: string): Promise<BegunSignIn> {
    const configuration = await this.#configuration()
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUrl,
      scope: this.#options.scope,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, checks }
  }

  async finish(callbackUrl: URL, checks: SignInChecks): Promise<ProvidedIdentity> {
    // Another one each time, so that keys the provider has changed since are known at once.
    const configuration = await this.#configuration()
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new IdentityRefusedError('there is no ID token')
      requireAccessTokenHash(tokens, claims)
      const all = await this.#completed(configuration, tokens.access_token, claims)
      return identityOf(all, claims, this.#options.groupsClaim)
    } catch (cause) {
      throw asRefusal(cause)
    }
  }

  async endUrl(returnTo: string): Promise<string | undefined> {
    const configuration = await this.#configuration()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href
  }

  /** What the ID token leaves out is asked for; of the same subject, or it does not count. */
  async #completed(
    configuration: client.Configuration,
    accessToken: string,
    claims: Claims & { readonly sub: string },
  ): Promise<Claims> {
    const isWhole = claims['email'] !== undefined && groupsOf(claims, this.#options.groupsClaim)
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
    return { ...(await client.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims }
  }

  async #configuration(): Promise<client.Configuration> {
    const { clientId, clientSecret, issuer } = this.#options
    const metadata = await this.#metadata()
    const secret = clientSecret?.reveal()
    const configuration = new client.Configuration(
      metadata,
      clientId,
      { client_id: clientId, [client.clockTolerance]: clockToleranceSeconds },
      secret === undefined ? client.None() : authenticationOf(metadata, secret),
    )
    configuration[client.customFetch] = this.#asked()
    configuration.timeout = undefined
    client.enableNonRepudiationChecks(configuration)
    if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration)
    return configuration
  }

  async #metadata(): Promise<client.ServerMetadata> {
    const { issuer, clientId, now } = this.#options
    const atMs = now().getTime()
    if (this.#discovered && atMs - this.#discovered.atMs < discoveredForMs)
      return this.#discovered.metadata
    try {
      const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: this.#asked(),
        ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
      })
      this.#discovered = { metadata: found.serverMetadata(), atMs }
      return this.#discovered.metadata
    } catch (cause) {
      throw new ProviderUnavailableError('the identity provider cannot be asked', { cause })
    }
  }

  #asked(): client.CustomFetch {
    return async (url, { method, headers, body }) => {
      const text = body instanceof URLSearchParams ? body.toString() : body
      if (text !== undefined && text !== null && typeof text !== 'string')
        throw new TypeError('only text is sent to a provider')
      try {
        const response = await this.#fetch(url, { method, headers, body: text ?? '' })
        if (response.status < 500) return response
        throw new Error(`status ${response.status}`)
      } catch (cause) {
        throw new ProviderUnavailableError('the identity provider does not answer', { cause })
      }
    }
  }
}

/** The usual one of RFC 6749 §2.3.1 unless the provider takes the other alone. */
function authenticationOf(metadata: client.ServerMetadata, secret: string): client.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported
  const takesBasic = methods === undefined || methods.includes('client_secret_basic')
  return takesBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
}

/** `at_hash` of OpenID Connect Core §3.1.3.6, where there is one. */
function requireAccessTokenHash(
  { access_token: accessToken, id_token: idToken = '' }: client.TokenEndpointResponse,
  claims: Claims,
): void {
  const { at_hash: expected } = claims
  if (expected === undefined) return
  const [header = ''] = idToken.split('.')
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }
  const hash = createHash(alg === 'EdDSA' ? 'sha512' : `sha${alg.slice(-3)}`)
  const digest = hash.update(accessToken).digest()
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== expected)
    throw new IdentityRefusedError('the access token is not the one of the ID token')
}

const identityOf = (
  claims: Claims,
  { iss, sub }: client.IDToken,
  groupsClaim: string,
): ProvidedIdentity => ({
  issuer: iss,
  subject: sub,
  email: claimText(claims, 'email')?.toLowerCase(),
  isEmailVerified: claims['email_verified'] === true,
  name: claimText(claims, 'name') ?? claimText(claims, 'preferred_username'),
  groups: groupsOf(claims, groupsClaim) ?? [],
})

/** The library says what is wrong in an error of its own; what it wraps may be that nobody answered. */
function asRefusal(cause: unknown): Error {
  for (let each = cause; each instanceof Error; each = each.cause)
    if (each instanceof ProviderUnavailableError || each instanceof IdentityRefusedError)
      return each
  return new IdentityRefusedError('what the identity provider sent proves nothing', { cause })
}
