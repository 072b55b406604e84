import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'

import { freePort } from './free-port.ts'
import type { Need } from './needs.ts'

const location = join(import.meta.dir, '../../tools/node_modules', 'oidc-provider')

/** A certified OpenID Connect provider, as a package. */
export const realProvider: Need = {
  what: 'oidc-provider',
  howToGetIt: 'npm ci --prefix tools',
  isThere: () => existsSync(location),
}

interface Account {
  readonly accountId: string
  claims(): Readonly<Record<string, unknown>>
}

interface ProviderModule {
  readonly Provider: new (
    issuer: string,
    configuration: object,
  ) => { callback(): Parameters<typeof createServer>[1] }
}

interface Options {
  readonly redirectUri: string
  /** By what they sign in as. */
  readonly claimsOf: (login: string) => Readonly<Record<string, unknown>>
}

/** The provider with its own pages to sign in at, where every password is right. */
export async function openRealProvider({ redirectUri, claimsOf }: Options) {
  const { Provider } = (await import(join(location, 'lib/index.js'))) as ProviderModule
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sedge',
        client_secret: 'a-secret-of-the-tests',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/dashboard/login', redirectUri).href],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    findAccount: (_: unknown, login: string): Account => ({
      accountId: login,
      claims: () => ({ sub: login, ...claimsOf(login) }),
    }),
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
