import {
  type IdentityProvider,
  IdentityRefusedError,
  ProviderUnavailableError,
} from '../../../ports/access/identity-provider.ts'
import type { PersonRecord } from '../../../ports/access/people-store.ts'
import { ServiceError } from '../../errors.ts'
import type { Actor } from '../actor.ts'
import type { BegunSignIns } from './begun-sign-ins.ts'
import { personOfIdentity, type ProviderSignIn } from './provider-sign-in.ts'

export interface Visitor {
  readonly person: PersonRecord
  readonly issuer: string
  /** The page to show. */
  readonly returnTo: string
}

/** Coming in by way of the identity provider. */
export interface ProviderVisits {
  /** What people call the provider. */
  readonly name: string
  /** Where the browser goes, and what it holds meanwhile. Refuses with `Unavailable`. */
  begin(
    redirectUrl: string,
    returnTo: string,
  ): Promise<{ readonly url: string; readonly held: string }>
  /**
   * Who came back. Refuses with `Unauthorized` what proves nothing, with `Forbidden` whom nobody let in, and
   * with `Unavailable`.
   */
  finish(callbackUrl: URL, held: readonly string[], newcomer: Actor): Promise<Visitor>
  /** Where to sign out at the provider, if it says so. */
  endUrl(returnTo: string): Promise<string | undefined>
}

interface Dependencies extends ProviderSignIn {
  readonly name: string
  readonly provider: IdentityProvider
  readonly begun: BegunSignIns
}

export function createProviderVisits(dependencies: Dependencies): ProviderVisits {
  const { name, provider, begun } = dependencies
  return {
    name,

    async begin(redirectUrl, returnTo) {
      const { url, checks } = await translated(provider.begin(redirectUrl), name)
      return { url, held: begun.seal({ ...checks, returnTo }) }
    },

    async finish(callbackUrl, held, newcomer) {
      const own = firstSpent(held, begun)
      if (own === undefined) throw unproven('this browser began no such sign-in')
      const { returnTo, ...checks } = own
      const identity = await translated(provider.finish(callbackUrl, checks), name)
      const person = await personOfIdentity(identity, newcomer, dependencies)
      return { person, issuer: identity.issuer, returnTo }
    },

    endUrl: async (returnTo) => await provider.endUrl(returnTo).catch(() => undefined),
  }
}

function firstSpent(held: readonly string[], begun: BegunSignIns) {
  for (const sealed of held) {
    const found = begun.spend(sealed)
    if (found !== undefined) return found
  }
  return undefined
}

async function translated<T>(asked: Promise<T>, name: string): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    if (cause instanceof IdentityRefusedError) throw unproven(cause)
    if (!(cause instanceof ProviderUnavailableError)) throw cause
    const message = `${name} cannot be reached right now. Try again, or sign in another way.`
    throw new ServiceError('Unavailable', message, { cause })
  }
}

const unproven = (cause: unknown) =>
  new ServiceError('Unauthorized', 'The sign-in could not be verified. Begin again.', { cause })
