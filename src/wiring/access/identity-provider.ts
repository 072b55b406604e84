import { OidcIdentityProvider } from '../../adapters/oidc/oidc-identity-provider.ts'
import { createBegunSignIns } from '../../domain/access/people/begun-sign-ins.ts'
import type { People } from '../../domain/access/people/people.ts'
import {
  createProviderVisits,
  type ProviderVisits,
} from '../../domain/access/people/provider-visits.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly people: People
  readonly secrets: readonly Secret[]
  readonly hasZone: (name: string) => boolean
}

/** Where people sign in besides here, if anywhere. */
export function openIdentityProvider(
  { config, now }: World,
  { people, secrets, hasZone }: Opened,
): ProviderVisits | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config
  if (issuer === undefined || clientId === undefined) return undefined
  const rules = {
    roles: config.oidcRoles,
    emailDomains: config.oidcEmailDomains,
    trustsEmail: config.oidcTrustsEmail,
  }
  return createProviderVisits({
    people,
    rules,
    hasZone,
    name: config.oidcName ?? new URL(issuer).hostname,
    provider: new OidcIdentityProvider({
      issuer,
      clientId,
      clientSecret: config.oidcClientSecret,
      groupsClaim: config.oidcGroupsClaim,
      scope: config.oidcScope,
      now,
    }),
    begun: createBegunSignIns({ secrets, now }),
  })
}
