/** Where a sign-in at the provider begins; what was drawn for it stays with the browser that began it. */
export interface BegunSignIn {
  /** Where the browser goes. */
  readonly url: string
  readonly checks: SignInChecks
}

/** What the answer of the provider is held against. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636). */
  readonly codeVerifier: string
}

/** Who somebody is, as the provider says. */
export interface ProvidedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** Whether the provider says that the e-mail address is the person's. */
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  /** At most 1,000. */
  readonly groups: readonly string[]
}

/** The provider cannot be reached, or does not answer as OpenID Connect asks. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
}

/** What came back does not prove who somebody is. */
export class IdentityRefusedError extends Error {
  override readonly name = 'IdentityRefusedError'
}

/** An OpenID Connect provider. Each answer is bounded in bytes and in time. */
export interface IdentityProvider {
  /** Throws {@link ProviderUnavailableError}. */
  begin(redirectUrl: string): Promise<BegunSignIn>
  /**
   * `callbackUrl` is what the browser came back to. Throws {@link IdentityRefusedError} where state, issuer,
   * code, signature, audience, nonce, time or hash is wrong, and {@link ProviderUnavailableError}.
   */
  finish(callbackUrl: URL, checks: SignInChecks): Promise<ProvidedIdentity>
  /** Where to sign out there as well, if it has such a page. */
  endUrl(returnTo: string): Promise<string | undefined>
}
