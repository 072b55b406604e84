import { SqlPasskeyStore } from '../../adapters/sql/access/sql-passkey-store.ts'
import { SqlPeopleStore } from '../../adapters/sql/access/sql-people-store.ts'
import { SqlSessionStore } from '../../adapters/sql/access/sql-session-store.ts'
import { SqlTokenStore } from '../../adapters/sql/access/sql-token-store.ts'
import { WebauthnPasskeyVerifier } from '../../adapters/webauthn/webauthn-passkey-verifier.ts'
import { nodeTokenCheck } from '../../domain/access/derived-key.ts'
import type { ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import { createAttempts } from '../../domain/access/quotas/attempts.ts'
import { openPeople, type People } from '../../domain/access/people/people.ts'
import { createPasskeys } from '../../domain/access/passkeys/passkeys.ts'
import { createPassword } from '../../domain/access/password.ts'
import { createSessions, sessionLifeSeconds } from '../../domain/access/sessions.ts'
import { createS3Keys, type S3Keys } from '../../domain/access/tokens/s3-keys.ts'
import { openTokens, type Tokens } from '../../domain/access/tokens/tokens.ts'
import {
  type Authenticate,
  authenticateWith,
  type Authenticator,
  bearerAuthenticator,
} from '../../http/access/authorize.ts'
import { createKeyGuesses } from '../../http/access/key-guesses.ts'
import { keyAuthenticator } from '../../http/access/key-authenticator.ts'
import { sessionAuthenticator } from '../../http/access/session-cookie.ts'
import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { Database } from '../../adapters/sql/database.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../lib/log.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { createPages } from '../../planes/access/pages.ts'
import { createSignInPage } from '../../planes/access/sign-in-page.ts'
import { createDashboardFiles } from '../pages/dashboard-files.ts'
import { dashboardUrlOf } from '../../config/url-settings.ts'
import { createHostPurposes, type HostPurposes } from '../delivery/host-purposes.ts'
import { createSignInFiles } from '../pages/page-files.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'
import { openIdentityProvider } from './identity-provider.ts'

export type Access = Awaited<ReturnType<typeof openAccess>>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

interface Recorded {
  readonly database: Database
  readonly feed: Feed
  readonly published: Pick<Manifest, 'zone'>
  /** Nowhere are tokens made where they are not known. */
  readonly bounds?: Pick<ZoneBounds, 'limitOr'>
}

/** People and tokens, as the database has them. */
export async function openIdentities(
  { config, now, newId }: Pick<World, 'config' | 'now' | 'newId'>,
  { database, feed, published, bounds }: Recorded,
) {
  const people = await openPeople({ store: new SqlPeopleStore(database), feed, now, newId })
  const tokens = await openTokens({
    store: new SqlTokenStore(database),
    feed,
    findStanding: (id) => people.standing(id),
    published,
    maxPerZone: (zone) =>
      bounds?.limitOr(zone, 'tokens', config.tokensPerZone) ?? config.tokensPerZone,
    now,
    newId,
  })
  return {
    people,
    tokens,
    /** Learns what other processes changed. */
    keepCurrent: async (): Promise<void> => {
      await people.keepCurrent()
      await tokens.keepCurrent()
    },
  }
}

/** Who may come in, and the pages on which they do. */
export async function openAccess(world: World, { stores, publishing, opening }: Opened) {
  const { log, now, newId, config } = world
  const identities = await openIdentities(world, {
    database: stores.database,
    feed: publishing.feed,
    published: publishing.catalog,
    bounds: publishing.bounds,
  })
  rereadOften(identities, log, opening)
  const { people, tokens } = identities
  const operators = createOperators(world, stores, people)
  const { sessions, sessionSettings, signInAttempts } = operators
  for (const { ip } of await new SqlSessionStore(stores.database).list()) signInAttempts.know(ip)
  const file = createSignInFiles()
  const providerVisits = openIdentityProvider(world, {
    people,
    secrets: sessionSecretsOf(config),
    hasZone: (name) => publishing.catalog.zone(name) !== undefined,
  })
  const providerName = providerVisits?.name
  const signInPage = createSignInPage({ file, ...operators, providerName })
  const hosts = createHostPurposes({
    ...config,
    zoneOfHost: (hostname) => publishing.domains.zoneOfHost(hostname),
    hasZone: (name) => publishing.catalog.zone(name) !== undefined,
  })
  return {
    /** What operations work with. */
    operations: {
      tokens,
      people,
      s3Keys: s3KeysOf(world),
      ...operators,
      providerVisits,
      signInPage,
      signInLinks: world.signInLinks,
    },
    authenticate: authenticateBy(world, {
      tokens,
      ...operators,
      hosts,
      onSession: ({ url }) => publishing.ownHosts.note(new URL(url).hostname),
    }),
    guesses: createKeyGuesses(world),
    pages: createPages({
      file,
      signInPage,
      dashboard: createDashboardFiles(),
      sessions,
      sessionSettings,
      now,
      newId,
      log,
    }),
    hosts,
  }
}

interface Recognising extends Pick<
  ReturnType<typeof createOperators>,
  'sessions' | 'sessionSettings'
> {
  readonly tokens: Pick<Tokens, 'find'>
  readonly hosts: Pick<HostPurposes, 'hasDashboard'>
  readonly onSession?: (request: Request) => void
}

/** Who is asking, by any of the credentials there are. */
export const authenticateBy = (
  world: Pick<World, 'config'>,
  { tokens, sessions, sessionSettings, hosts, onSession }: Recognising,
): Authenticate =>
  authenticateWith([
    createKeyAuthenticator(world),
    bearerAuthenticator((secret) => tokens.find(secret)),
    ...nodeAuthenticator(world),
    sessionAuthenticator((cookie) => sessions.find(cookie), {
      ...sessionSettings,
      ...hosts,
      ...(onSession && { onSession }),
    }),
  ])

const s3KeysOf = ({ config: { keys, previousKeys } }: World): S3Keys =>
  createS3Keys(
    keys.signedUrlSecret,
    [previousKeys.signedUrlSecret].flatMap((each) => each ?? []),
  )

/** Five failures in a quarter of an hour; after a hundred, wherever they come from, strangers wait in line. */
const attemptLimits = { perNetwork: 5, total: 100, windowSeconds: 900 }

/** What signs the cookies of sessions, the newest first. */
export const sessionSecretsOf = ({
  keys,
  previousKeys,
}: Pick<Config, 'keys' | 'previousKeys'>): readonly Secret[] =>
  [keys.sessionSecret, previousKeys.sessionSecret].flatMap((each) => each ?? [])

export function createOperators(
  world: Pick<World, 'config' | 'now'>,
  { database }: Pick<Stores, 'database'>,
  people: People,
) {
  const { config, now } = world
  const { keys } = config
  const secrets = sessionSecretsOf(config)
  const password = createPassword(keys.dashboardPassword, secrets)
  return {
    password,
    sessions: createSessions({
      store: new SqlSessionStore(database),
      secrets,
      // A passkey that is removed takes its sessions with it; a password only leaves them behind. A link
      // stands for the password of its time, and without one for whoever can start the service.
      isStillGood({ openedWith, createdAt }) {
        const [method = '', mark = ''] = openedWith.split(':')
        if (method === 'link') return !password.isEnabled || password.hasMark(mark)
        if (method === 'oidc') return isFresh(openedWith, createdAt, world)
        return method !== 'password' || password.hasMark(mark)
      },
      seePerson: (id) => people.see(id),
      now,
    }),
    passkeys: createPasskeys({
      store: new SqlPasskeyStore(database),
      verifier: new WebauthnPasskeyVerifier(),
      hasOtherWayIn: password.isEnabled,
      findOwner: (id) => people.known(id),
      mayComeIn: (id) => people.standing(id) !== undefined,
      secrets,
      now,
    }),
    sessionSettings: {
      lifeSeconds: sessionLifeSeconds,
      dashboardUrl: dashboardUrlOf(config),
    },
    signInAttempts: createAttempts({
      ...attemptLimits,
      now,
      sleep: (milliseconds) => Bun.sleep(milliseconds),
    }),
  }
}

/** Whoever came in at the provider has to again from time to time: it alone knows who has left. */
function isFresh(
  openedWith: string,
  createdAt: Date,
  { config, now }: Pick<World, 'config' | 'now'>,
): boolean {
  const ageMs = now().getTime() - createdAt.getTime()
  return openedWith === `oidc:${config.oidcIssuer}` && ageMs < config.oidcSessionHours * 3_600_000
}

function createKeyAuthenticator({ config }: Pick<World, 'config'>): Authenticator {
  const { keys, previousKeys, accountKeyIsAdmin } = config
  return keyAuthenticator({
    access: keys.accessKey,
    account: keys.accountKey,
    purge: keys.purgeKey,
    analytics: keys.analyticsKey,
    accountKeyIsAdmin,
    previous: {
      access: previousKeys.accessKey,
      account: previousKeys.accountKey,
      purge: previousKeys.purgeKey,
      analytics: previousKeys.analyticsKey,
    },
  })
}

/** The other nodes of a cluster follow this one as edges do. */
function nodeAuthenticator({ config }: Pick<World, 'config'>): readonly Authenticator[] {
  if (config.clusterAddress === undefined) return []
  const grant = { id: 'cluster-node', scopes: new Set(['edges:sync']), zones: undefined }
  const { keys, previousKeys } = config
  const isNode = nodeTokenCheck(
    [keys.accountKey, previousKeys.accountKey].flatMap((key) => key ?? []),
  )
  return [bearerAuthenticator((secret) => (isNode(secret) ? grant : undefined))]
}

/** Within a second what another process revoked opens nothing here. */
const rereadEveryMs = 500

function rereadOften(
  { keepCurrent }: { readonly keepCurrent: () => Promise<void> },
  log: Log,
  opening: AsyncDisposableStack,
): void {
  const refresh = () =>
    keepCurrent().catch((error: unknown) =>
      log.error('people and tokens could not be brought up to date', { error }),
    )
  const timer = setInterval(() => void refresh(), rereadEveryMs)
  opening.defer(async () => {
    clearInterval(timer)
    await refresh()
  })
}
