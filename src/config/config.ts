import { loadGeneratedKeys } from './generated-keys.ts'
import { backupFaults, backupSettings } from './backup-settings.ts'
import { blobStoreFaults, blobStoreSettings } from './blob-store-settings.ts'
import { gitRemoteFaults, gitRemoteSettings } from './git-remote-settings.ts'
import { urlFaults, urlSettings } from './url-settings.ts'
import { clusterFaults, clusterSettings } from './cluster-settings.ts'
import { limitSettings } from './limit-settings.ts'
import { accessLogFaults, accessLogSettings } from './observability/access-log-settings.ts'
import { logSettings } from './observability/log-settings.ts'
import { modelFaults, modelSettings } from './model-settings.ts'
import { telemetrySettings } from './observability/telemetry-settings.ts'
import { tlsFaults, tlsSettings } from './tls-settings.ts'
import { notificationFaults, notificationSettings } from './notification-settings.ts'
import { oidcFaults, oidcSettings } from './oidc-settings.ts'
import { uploadFaults, uploadSettings } from './upload-settings.ts'
import { programFile } from '../lib/files/program-files.ts'
import type { Secret } from '../lib/secrets/secret.ts'
import {
  addressRanges,
  emailAddress,
  filePath,
  flag,
  headerName,
  type HostCertificate,
  hostName,
  httpsUrl,
  nameServers,
  oneOf,
  optional,
  postgresUrl,
  secret,
  setting,
  type Setting,
  wholeNumber,
} from './setting.ts'

const sevenDaysSeconds = 604_800

/** Secrets. What the environment does not set is generated at the first start and kept. */
export const keySettings = {
  accessKey: secret('ACCESS_KEY', 'Opens Storage, Assets and Insights (header `AccessKey`)'),
  accountKey: secret(
    'ACCOUNT_KEY',
    'Opens Core, Insights and administration (header `AccountKey`)',
  ),
  purgeKey: secret('PURGE_KEY', 'Opens `POST /api/purge` (header `x-api-key`)'),
  analyticsKey: secret('ANALYTICS_KEY', 'Opens `GET /api/analytics` (header `x-api-key`)'),
  signedUrlSecret: secret(
    'SIGNED_URL_SECRET',
    'Signs time-limited URLs (HMAC-SHA256), and makes the secret access keys of tokens for S3',
  ),
  sessionSecret: secret('SESSION_SECRET', 'Signs the session cookie'),
  dashboardPassword: secret('DASHBOARD_PASSWORD', 'Signs an operator in to the dashboard'),
  webhookSecretKey: secret(
    'WEBHOOK_SECRET_KEY',
    'Encrypts the signing secrets of webhooks at rest',
  ),
} as const

const idleWorks = ['denser', 'siblings', 'reading', 'thumbnails'] as const

function idleWork(text: string): readonly (typeof idleWorks)[number][] {
  return text === 'none' ? [] : text.split(',').map((word) => oneOf(idleWorks)(word.trim()))
}

/** `named` is short for `named-only`. */
const transformModeOf = (text: string) =>
  oneOf(['open', 'named-only', 'signed'])(text === 'named' ? 'named-only' : text)

/** Every other setting, in the order of its documentation. */
export const settings = {
  accountKeyIsAdmin: flag(
    'ACCOUNT_KEY_IS_ADMIN',
    'Accept the account key wherever any of the other three keys is',
  ),
  port: setting('PORT', '8788', 'Where to listen; 0 takes any free port', wholeNumber(0, 65_535)),
  host: setting('HOST', '127.0.0.1', 'The address to listen on; `0.0.0.0` for every one', hostName),
  dataDirectory: setting('DATA_DIR', './data', 'Where everything is kept', filePath),
  ...urlSettings,
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'Metadata and feed in PostgreSQL 15 or newer (`postgres://user:password@host/database`); without it, in SQLite in the data directory',
    optional(postgresUrl),
  ),
  ...blobStoreSettings,
  ...backupSettings,
  ...gitRemoteSettings,
  ...oidcSettings,
  ...clusterSettings,
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '',
    'Addresses and CIDR blocks, separated by commas, whose `X-Forwarded-For` and country header are believed; nobody else’s are',
    addressRanges,
  ),
  countryHeader: setting(
    'COUNTRY_HEADER',
    'CF-IPCountry',
    'The header in which trusted proxies name the country of a client',
    headerName,
  ),
  idleWork: setting(
    'IDLE_WORK',
    'denser,siblings,reading,thumbnails',
    'What cores do while nobody waits: make `denser` encodings of images that are asked for often and `siblings` of new images in the formats that other clients take, `reading` of what is written in titles and banners, the `thumbnails` of a player of new videos; `none` for nothing',
    idleWork,
  ),
  renderMemoryBytes: setting(
    'RENDER_MEMORY_BYTES',
    String(256 * 2 ** 20),
    'Memory that all images in the making may need together, besides some 30 MB for each process that makes them. An image that needs more is refused: an AVIF of more than 14 megapixels, an SVG of more than 12 as WebP. 1 GiB makes whatever is within the other limits',
    wholeNumber(128 * 2 ** 20, 2 ** 40),
  ),
  searchesByNameOnly: flag(
    'SEARCH_BY_NAME_ONLY',
    'Search without the language model, which takes about 130 MB of memory, or 300 MB where it runs in WebAssembly',
  ),
  ...modelSettings,
  ...limitSettings,
  ...uploadSettings,
  transformMode: setting(
    'TRANSFORM_MODE',
    'open',
    'What everybody may have made of images: `open` for whatever they ask, `named-only` for named transforms and the widths of `/api/picture`, `signed` for nothing without a signature. A zone may be stricter, not laxer. Edges elsewhere need the same',
    transformModeOf,
  ),
  signedUrlMaxAgeSeconds: setting(
    'SIGNED_URL_MAX_AGE',
    String(sevenDaysSeconds),
    'How many seconds ahead a signed URL may expire',
    wholeNumber(1, sevenDaysSeconds),
  ),
  webhookAllowPrivate: flag(
    'WEBHOOK_ALLOW_PRIVATE',
    'Let webhooks go to private addresses and over http; for tests alone',
  ),
  checksResponses: flag(
    'CHECK_RESPONSES',
    'Fail each response of the API that the description of the interface does not declare; for tests alone',
  ),
  ...tlsSettings,
  acmeDirectory: setting(
    'ACME_DIRECTORY',
    '',
    'The ACME server that certificates of custom domains come from, e.g. `https://acme-v02.api.letsencrypt.org/directory`; setting it accepts its terms of service. Empty: whatever is in front of the service does TLS for them',
    optional(httpsUrl),
  ),
  acmeEmail: setting(
    'ACME_EMAIL',
    '',
    'Where the ACME server writes to about the account',
    optional(emailAddress),
  ),
  acmeCaFile: setting(
    'ACME_CA_FILE',
    '',
    'A PEM file with whom to trust as the ACME server, for one with a private authority',
    optional(filePath),
  ),
  secretsKey: secret(
    'SECRETS_KEY',
    'Encrypts the keys of certificates at rest; without it the mode of their files (0600) protects them, and `WEBHOOK_SECRET_KEY` those in a database',
  ),
  secretsKeyPrevious: secret(
    'SECRETS_KEY_PREVIOUS',
    'The former one: what it encrypted is encrypted anew at the start',
  ),
  edgeKeysOverHttp: flag(
    'EDGE_KEYS_OVER_HTTP',
    'Let certificates of custom domains and their keys go to edges over plain HTTP, in a network that nobody else is in; otherwise they go over https or within one machine. Both sides must say so',
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    '',
    'Name servers to look custom domains up with, separated by commas; empty for those of the system',
    nameServers,
  ),
  http3: flag('HTTP3', 'With TLS, answer HTTP/3 too, over UDP on the same port. Experimental'),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'Where to answer `GET /metrics` for Prometheus and `GET /live`, apart from everything else; without it nothing is measured',
    optional(wholeNumber(0, 65_535)),
  ),
  metricsHost: setting(
    'METRICS_HOST',
    '127.0.0.1',
    'The address that metrics are answered on; nobody is asked for a key there',
    hostName,
  ),
  ...logSettings,
  ...accessLogSettings,
  ...telemetrySettings,
  ...notificationSettings,
} as const

type Value<S> = S extends Setting<infer T> ? T : never
type Values<Table> = { readonly [Name in keyof Table]: Value<Table[Name]> }

export type KeyId = keyof typeof keySettings

/** The keys that the environment sets, by the name of their setting. */
export const chosenKeys = ({ keys }: Settings): ReadonlyMap<string, Secret> =>
  new Map(
    Object.entries(keySettings).flatMap(([id, { name }]) => {
      const key = keys[id as KeyId]
      return key === undefined ? [] : [[name, key] as const]
    }),
  )

/** Where the former value of a key is set, which is accepted beside the new one. */
export const previousName = (name: string): string => `${name}_PREVIOUS`

/** What the environment says, checked. Secrets that are not set are `undefined`. */
export interface Settings extends Values<typeof settings> {
  readonly keys: Values<typeof keySettings>
  readonly previousKeys: Values<typeof keySettings>
}

/** Certificates to listen with. */
export interface TlsSettings {
  readonly certificateFile: string
  readonly keyFile: string
  /** For single host names; the pair above is for all others. */
  readonly byHost: readonly HostCertificate[]
}

/** All that the service is told from outside; complete. */
export interface Config extends Omit<Settings, 'keys' | 'previousKeys'> {
  readonly keys: Readonly<Record<KeyId, Secret>>
  /** Former ones that are still good, while those who have them change over. */
  readonly previousKeys: Readonly<Record<KeyId, Secret | undefined>>
  /** Absent: plain HTTP. */
  readonly tls: TlsSettings | undefined
  /** The program's own. */
  readonly version: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Every fault of the configuration at once, one sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(['the configuration is wrong:', ...faults.map((fault) => `  ${fault}`)].join('\n'))
    this.faults = faults
  }
}

/** An empty variable counts as one that is not set. Throws {@link ConfigError}. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = []
  const read = <Table extends Readonly<Record<string, Setting<unknown>>>>(table: Table) =>
    mapValues(table, ({ name, default: standard, parse }) => {
      const given = environment[name]?.trim() ?? ''
      try {
        return parse(given === '' ? standard : given)
      } catch (error) {
        faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
        return undefined
      }
    }) as Values<Table>
  const previous = mapValues(keySettings, ({ name }) => secret(previousName(name), ''))
  const result = { ...read(settings), keys: read(keySettings), previousKeys: read(previous) }
  faults.push(
    ...uploadFaults(result),
    ...notificationFaults(result),
    ...tlsFaults(environment),
    ...urlFaults(environment),
    ...modelFaults(environment),
    ...blobStoreFaults(environment),
    ...backupFaults(environment),
    ...accessLogFaults(environment),
    ...gitRemoteFaults(environment),
    ...oidcFaults(environment),
    ...clusterFaults(environment, keySettings),
  )
  if (faults.length > 0) throw new ConfigError(faults)
  return result
}

/** The data directory, for those who need nothing else of the settings. Absolute. */
export function dataDirectoryOf(environment: Environment): string {
  const { name, default: standard, parse } = settings.dataDirectory
  const given = environment[name]?.trim() ?? ''
  return parse(given === '' ? standard : given)
}

/** What to listen with; `undefined` for plain HTTP. */
export const tlsOf = ({
  tlsCertificateFile: certificateFile,
  tlsKeyFile: keyFile,
  tlsCertificates: byHost,
}: Settings): TlsSettings | undefined =>
  certificateFile === undefined || keyFile === undefined
    ? undefined
    : { certificateFile, keyFile, byHost }

export interface CompletedConfig {
  readonly config: Config
  /** Secrets made just now, by the name of their setting. To be shown once. */
  readonly generated: ReadonlyMap<string, Secret>
}

/**
 * Fills in the secrets that are not set from the data directory, and generates those that are not
 * there either. Take the lock of the directory first.
 */
export async function completeConfig(read: Settings): Promise<CompletedConfig> {
  const names = mapValues(keySettings, ({ name }) => name)
  const given = Object.entries(names).map(([key, name]) => [name, read.keys[key as KeyId]] as const)
  const { secrets, generated, kept } = await loadGeneratedKeys(read.dataDirectory, new Map(given))
  const keys = mapValues(names, (name) => {
    const found = secrets.get(name)
    if (found === undefined) throw new Error(`${name} was not generated`)
    return found
  })
  const previousKeys = Object.fromEntries(
    Object.entries(names).map(([key, name]) => [key, previousOf(key as KeyId, name)]),
  ) as Config['previousKeys']
  const packageFile = Bun.file(programFile('package.json'))
  const { version } = (await packageFile.json()) as { version: string }
  return { config: { ...read, keys, previousKeys, tls: tlsOf(read), version }, generated }

  /** One that is kept belongs to the key that is kept beside it, not to one from the environment. */
  function previousOf(key: KeyId, name: string): Secret | undefined {
    const fromFile = read.keys[key] === undefined ? kept.get(previousName(name)) : undefined
    return read.previousKeys[key] ?? fromFile
  }
}

const mapValues = <Table extends object, Result>(
  table: Table,
  map: (value: Table[keyof Table]) => Result,
) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)])) as {
    readonly [Name in keyof Table]: Result
  }
