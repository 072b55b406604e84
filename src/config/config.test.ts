import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  completeConfig,
  ConfigError,
  dataDirectoryOf,
  keySettings,
  readSettings,
  settings,
} from './config.ts'

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('the dashboard can have a host name of its own, beside that of BASE_URL', () => {
  const baseUrl = 'https://cdn.example.org'
  const given = { BASE_URL: baseUrl, DASHBOARD_HOST: 'Sedge.example.org' }
  expect(readSettings(given).dashboardHost).toBe('sedge.example.org')
  expect(faultsOf({ DASHBOARD_HOST: 'sedge.example.org' })).toEqual([
    'BASE_URL must be set where DASHBOARD_HOST is',
  ])
  expect(faultsOf({ ...given, DASHBOARD_HOST: 'cdn.example.org' })).toEqual([
    'DASHBOARD_HOST must be another host name than that of BASE_URL',
  ])
  for (const name of ['localhost', '10.0.0.1', 'a.example:8788', 'https://a.example', '-a.example'])
    expect(faultsOf({ ...given, DASHBOARD_HOST: name })).toHaveLength(1)
})

test('the host name of previews is above none of the service', () => {
  const given = { BASE_URL: 'https://cdn.example.org', PREVIEW_HOST: 'Previews.example' }

  expect(readSettings(given).previewHost).toBe('previews.example')
  expect(faultsOf({ ...given, PREVIEW_HOST: 'example.org' })).toEqual([
    'PREVIEW_HOST must not be above BASE_URL',
  ])
  expect(faultsOf({ PREVIEW_HOST: 'example', S3_HOST: 's3.example' })).toEqual([
    'PREVIEW_HOST must not be above S3_HOST',
  ])
  expect(faultsOf({ PREVIEW_HOST: 'https://previews.example' })).toHaveLength(1)
})

test('S3 can have a host name of its own, one of the network alone included', () => {
  for (const name of ['s3.example.org', 'sedge', 'localhost'])
    expect(readSettings({ S3_HOST: name }).s3Host).toBe(name)
  for (const name of ['10.0.0.1', 'sedge:8788', 'https://s3.example.org', '.example.org'])
    expect(faultsOf({ S3_HOST: name })).toHaveLength(1)
})

test('origins are named as browsers name them', () => {
  const text = 'https://app.example.org, http://localhost:5173'
  expect(readSettings({ CORS_ORIGINS: text }).corsOrigins).toEqual(new Set(text.split(', ')))
  for (const wrong of ['*', 'null', 'app.example.org', 'https://a.example/', 'https://A.example'])
    expect(faultsOf({ CORS_ORIGINS: wrong })).toHaveLength(1)
})

test('groups have roles for all zones or some, and a provider needs what leads back from it', () => {
  const oidc = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'x',
    BASE_URL: 'https://a.example',
  }
  const roles = 'ops=admin; a=b = publisher : Acme, docs; *=viewer'
  expect(readSettings({ ...oidc, OIDC_ROLES: roles }).oidcRoles).toEqual([
    { group: 'ops', role: 'admin', zones: undefined },
    { group: 'a=b', role: 'publisher', zones: ['acme', 'docs'] },
    { group: '*', role: 'viewer', zones: undefined },
  ])
  for (const wrong of ['ops', '=admin', 'ops=king', 'ops='])
    expect(faultsOf({ ...oidc, OIDC_ROLES: wrong })).toHaveLength(1)
  expect(faultsOf({ OIDC_ISSUER: 'https://id.example' })).toHaveLength(2)
  expect(faultsOf({ OIDC_CLIENT_ID: 'x' })).toHaveLength(1)
  expect(faultsOf({ ...oidc, OIDC_ISSUER: 'http://id.example' })).toHaveLength(1)
  expect(faultsOf({ ...oidc, OIDC_ISSUER: 'http://localhost:9' })).toEqual([])
})

test('an access log needs lines to write, and a store of its own somebody to ask it as', () => {
  expect(faultsOf({ ACCESS_LOG_TO: 'stdout' })).toEqual([])
  expect(faultsOf({ ACCESS_LOG_TO: '/var/log/sedge', REQUEST_LOG_MB: '0' })).toHaveLength(1)
  const bucket = { ACCESS_LOG_TO: 's3://logs?endpoint=https://s3.example.org' }
  expect(faultsOf(bucket)).toHaveLength(1)
  expect(faultsOf({ ...bucket, ACCESS_LOG_S3_ACCESS_KEY_ID: 'a' })).toHaveLength(1)
  const own = { ACCESS_LOG_S3_ACCESS_KEY_ID: 'a', ACCESS_LOG_S3_SECRET_ACCESS_KEY: 'b' }
  expect(faultsOf({ ...bucket, ...own })).toEqual([])
})

test('what zones may have is items in units that people write, and nothing else', () => {
  const { zoneQuotas } = readSettings({ ZONE_QUOTAS: 'bytes=50GB, files=100000 new-variants=0' })
  expect(zoneQuotas).toEqual({ bytes: 50_000_000_000, files: 100_000, 'new-variants': 0 })
  for (const text of ['bytes', 'bytes=', 'bytes=-1', 'bytes=1PB', 'nothing=1', 'files=999999999TB'])
    expect(faultsOf({ ZONE_QUOTAS: text })).toHaveLength(1)
})

test('an empty environment is a complete configuration, secrets apart', () => {
  const { keys, previousKeys, ...rest } = readSettings({})
  expect(rest).toEqual({
    accountKeyIsAdmin: false,
    port: 8788,
    host: '127.0.0.1',
    dataDirectory: resolve('data'),
    baseUrl: undefined,
    dashboardHost: undefined,
    s3Host: undefined,
    previewHost: undefined,
    cnameTarget: undefined,
    corsOrigins: new Set(),
    databaseUrl: undefined,
    oidcIssuer: undefined,
    oidcName: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcScope: 'openid email profile',
    oidcGroupsClaim: 'groups',
    oidcRoles: [],
    oidcEmailDomains: [],
    oidcTrustsEmail: false,
    oidcSessionHours: 24,
    clusterAddress: undefined,
    backupTo: undefined,
    backupEveryHours: 24,
    backupKeep: 7,
    backupKeepDays: 7,
    backupKeepWeeks: 4,
    backupSecrets: false,
    backupMibPerSecond: 50,
    backupS3AccessKeyId: undefined,
    backupS3SecretAccessKey: undefined,
    blobStore: undefined,
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    s3SessionToken: undefined,
    blobCacheGib: 10,
    gitRemote: undefined,
    gitRemoteToken: undefined,
    gitRemoteImport: false,
    gitRemoteMaxBytes: 4_294_967_296,
    trustedProxies: [],
    countryHeader: 'CF-IPCountry',
    idleWork: ['denser', 'siblings', 'reading', 'thumbnails'],
    renderMemoryBytes: 268_435_456,
    searchesByNameOnly: false,
    embedBaseUrl: undefined,
    embedModel: undefined,
    embedApiKey: undefined,
    chatBaseUrl: undefined,
    chatModel: undefined,
    chatApiKey: undefined,
    visionBaseUrl: undefined,
    visionModel: undefined,
    visionApiKey: undefined,
    visionDailyImages: 1000,
    transformsPerMonth: 50_000,
    transformsZoneShare: 50,
    transformsPerMinute: 300,
    historyPerMinute: 1200,
    agentCallsPerMinute: 300,
    transformMode: 'open',
    transformMaxMs: 10_000,
    pushesPerMinute: 60,
    pushesPerZone: 60,
    pushMbPerDay: 51_200,
    chatsPerMonth: 1000,
    chatsPerMinute: 20,
    chatsPerDay: 200,
    purgesPerDay: 100,
    zoneQuotas: {},
    purgesPerZone: 40,
    purgesReserved: 20,
    operatorReserve: 10,
    searchesPerMinute: 100,
    healthChecksPerMinute: 120,
    beaconsPerMinute: 120,
    passkeyCallsPerMinute: 30,
    domainsPerZone: 50,
    uploadTtlHours: 24,
    maxFileMb: 5120,
    lfsAboveMb: 25,
    pushMaxMb: 1024,
    maxStagedGb: 20,
    uploadsPerZone: 1000,
    uploadsPerNetwork: 500,
    domainsPerDay: 20,
    previewsPerZone: 50,
    previewDays: 30,
    tokensPerZone: 100,
    uploadGrantsPerZone: 1000,
    grantRequestsPerMinute: 600,
    webhooks: 25,
    webhooksPerZone: 5,
    webhooksReserved: 5,
    signedUrlMaxAgeSeconds: 604_800,
    webhookAllowPrivate: false,
    checksResponses: false,
    turnLimitMs: undefined,
    hotLine: true,
    edgeWorkers: 0,
    tlsCertificateFile: undefined,
    tlsKeyFile: undefined,
    tlsCertificates: [],
    httpPort: undefined,
    hstsMaxAgeSeconds: undefined,
    acmeDirectory: undefined,
    acmeEmail: undefined,
    acmeCaFile: undefined,
    secretsKey: undefined,
    secretsKeyPrevious: undefined,
    edgeKeysOverHttp: false,
    dnsServers: [],
    http3: false,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    requestLogMb: 256,
    requestLogDays: 7,
    requestLogPerSecond: 1_000,
    requestLogSample: 1,
    requestLogNetworks: true,
    accessLogTo: undefined,
    accessLogFormat: 'json',
    accessLogEverySeconds: 300,
    accessLogS3AccessKeyId: undefined,
    accessLogS3SecretAccessKey: undefined,
    otlpEndpoint: undefined,
    otlpTracesEndpoint: undefined,
    otlpMetricsEndpoint: undefined,
    otlpLogsEndpoint: undefined,
    otlpHeaders: undefined,
    otlpTracesHeaders: undefined,
    otlpMetricsHeaders: undefined,
    otlpLogsHeaders: undefined,
    otlpProtocol: 'http/protobuf',
    otlpCompression: 'none',
    otlpTimeoutMs: 10_000,
    otlpAuthorityFile: undefined,
    tracesExporter: 'otlp',
    metricsExporter: 'otlp',
    logsExporter: 'otlp',
    serviceName: undefined,
    resourceAttributes: {},
    tracesSampler: 'parentbased_always_on',
    tracesSamplerRatio: 1,
    metricIntervalMs: 60_000,
    telemetryIsDisabled: false,
    smtpUrl: undefined,
    smtpFrom: undefined,
    smtpAllowPlain: false,
    notifyTo: [],
    notifyEmailKinds: settings.notifyEmailKinds.parse('all'),
    notifyWebhookKinds: settings.notifyEmailKinds.parse('all'),
    diskWarningPercent: 10,
    errorWarningPercent: 5,
  })
  expect([...Object.values(keys), ...Object.values(previousKeys)]).toEqual(
    Array.from({ length: 2 * Object.keys(keySettings).length }, () => undefined),
  )
})

test('what is set counts; empty and blank count as not set', () => {
  const read = readSettings({
    ACCESS_KEY: ' abc ',
    PORT: '0',
    HOST: '  ',
    BASE_URL: 'https://CDN.example.org/',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
    ACCOUNT_KEY_IS_ADMIN: 'true',
    LOG_LEVEL: 'debug',
  })
  expect(read.keys.accessKey?.reveal()).toBe('abc')
  expect(read).toMatchObject({
    port: 0,
    host: '127.0.0.1',
    baseUrl: 'https://cdn.example.org',
    trustedProxies: ['10.0.0.0/8', '::1'],
    accountKeyIsAdmin: true,
    logLevel: 'debug',
  })
})

test('every fault is listed at once, each with its name and what would be right', () => {
  const environment = {
    ACCESS_KEY: 'ke\u0000y',
    PORT: '70000',
    BASE_URL: 'cdn.example.org/path',
    DATABASE_URL: 'mysql://db/sedge',
    BLOB_STORE: 'bucket',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
    GIT_REMOTE: 'https://user:password@example.org/x',
    TRUSTED_PROXIES: '10.0.0.0/33',
    COUNTRY_HEADER: 'a b',
    SIGNED_URL_MAX_AGE: '604801',
    ACCOUNT_KEY_IS_ADMIN: 'yes',
    WEBHOOK_ALLOW_PRIVATE: '1',
    EDGE_WORKERS: '-1',
    LOG_LEVEL: 'loud',
    HOST: 'a/b',
    HTTP_PORT: '-1',
    HSTS_MAX_AGE: 'a year',
    ACME_DIRECTORY: 'http://acme.example/directory',
    ACME_EMAIL: 'nobody',
    DNS_SERVERS: '192.0.2.1,ns.example',
    TLS_CERT_FILE: 'a.pem',
    TLS_KEY_FILE: 'a.key',
  }
  const faults = faultsOf(environment)
  const right = new Set([
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ])
  expect(faults.map((fault) => fault.split(' ')[0] ?? '').toSorted()).toEqual(
    Object.keys(environment)
      .filter((name) => !right.has(name))
      .toSorted(),
  )
  expect(faults).toContain('PORT must be a whole number from 0 to 65535')
  expect(faults).toContain('LOG_LEVEL must be one of debug, info, warn, error, silent')
  expect(new ConfigError(faults).message).toContain('\n  PORT must be')
})

test('a git remote is whatever git pushes to, without a password', () => {
  for (const address of [
    '/srv/mirror.git',
    'file:///srv/mirror.git',
    'https://git.example.org/a/b.git',
    'https://me@git.example.org/a/b.git',
    'ssh://git@git.example.org:2222/a.git',
    'git@git.example.org:a/b.git',
  ])
    expect(readSettings({ GIT_REMOTE: address }).gitRemote).toBe(address)
  for (const address of [
    'mirror',
    '../mirror.git',
    '-x',
    '--upload-pack=id',
    'ext::sh -c id',
    'a b:c',
  ])
    expect(faultsOf({ GIT_REMOTE: address })[0]).toStartWith(
      'GIT_REMOTE must be what git pushes to',
    )
  const withToken = (address: string) =>
    faultsOf({ GIT_REMOTE: address, GIT_REMOTE_TOKEN: 'secret' })
  expect(withToken('https://git.example.org/a.git')).toEqual([])
  expect(withToken('http://127.0.0.1:3000/a.git')).toEqual([])
  expect(withToken('http://git.example.org/a.git')).toEqual([
    'GIT_REMOTE must be an https URL where GIT_REMOTE_TOKEN is set',
  ])
  expect(faultsOf({ GIT_REMOTE_IMPORT: 'true', GIT_REMOTE_TOKEN: 'secret' })).toEqual([
    'GIT_REMOTE must be set where GIT_REMOTE_TOKEN is',
    'GIT_REMOTE must be set where GIT_REMOTE_IMPORT is',
  ])
})

test('a fault never repeats a secret', () => {
  const text = faultsOf({ ACCESS_KEY: 'hunter2ä' }).join('')
  expect(text).toContain('ACCESS_KEY must be printable ASCII')
  expect(text).not.toContain('hunter2')
})

test('certificates come in pairs, and what only they make possible needs them', () => {
  const [certificate, key] = [{ TLS_CERT_FILE: 'a.pem' }, { TLS_KEY_FILE: 'a.key' }]
  const more = {
    TLS_CERTIFICATES: 'b.example=b.pem:b.key, *.c.example=c.pem:c.key',
    HTTP3: 'true',
    HTTP_PORT: '80',
    HSTS_MAX_AGE: '3600',
    ACME_DIRECTORY: 'https://acme.example/directory',
  }

  expect(faultsOf(certificate)).toEqual(['TLS_KEY_FILE must be set where TLS_CERT_FILE is'])
  expect(faultsOf(key)).toEqual(['TLS_CERT_FILE must be set where TLS_KEY_FILE is'])
  expect(faultsOf(more)).toEqual(
    Object.keys(more).map(
      (name) => `${name} must be set together with TLS_CERT_FILE and TLS_KEY_FILE`,
    ),
  )
  expect(faultsOf({ ...certificate, ...key, TLS_CERTIFICATES: 'b.example=b.pem' })).toEqual([
    'TLS_CERTIFICATES must be items such as www.example.org=cert.pem:key.pem',
  ])
  expect(readSettings({ ...certificate, ...key, ...more }).tlsCertificates).toEqual([
    { host: 'b.example', certificateFile: resolve('b.pem'), keyFile: resolve('b.key') },
    { host: '*.c.example', certificateFile: resolve('c.pem'), keyFile: resolve('c.key') },
  ])
})

test('name servers are addresses, with a port where it is an odd one', () => {
  const given = '192.0.2.1, 192.0.2.2:5353,2001:db8::1,[2001:db8::2]:54'
  expect(readSettings({ DNS_SERVERS: given }).dnsServers).toEqual([
    '192.0.2.1',
    '192.0.2.2:5353',
    '2001:db8::1',
    '[2001:db8::2]:54',
  ])
  for (const wrong of ['ns.example', '192.0.2.1:70000', '192.0.2.1:', '[::1', '::1]:53'])
    expect(faultsOf({ DNS_SERVERS: wrong })).toHaveLength(1)
})

test('any environment is read or refused as a whole', () => {
  const names = [...Object.values(settings), ...Object.values(keySettings)].map(({ name }) => name)
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.nat().map(String))),
      (environment) => {
        for (const fault of faultsOf(environment)) expect(fault).toMatch(/^[A-Z0-9_]+ must be /u)
      },
    ),
  )
})

test('missing secrets are generated once, and the rest of the configuration stays as it is', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-config-'))
  try {
    const read = readSettings({ DATA_DIR: directory, ACCESS_KEY: 'mine' })
    const { config, generated } = await completeConfig(read)
    expect(config.keys.accessKey.reveal()).toBe('mine')
    expect([...generated.keys()].toSorted()).toEqual(
      Object.values(keySettings)
        .map(({ name }) => name)
        .filter((name) => name !== 'ACCESS_KEY')
        .toSorted(),
    )
    expect(config.port).toBe(8788)
    expect(config.version).toMatch(/^\d+\.\d+\.\d+$/u)
    const again = await completeConfig(read)
    expect(again.generated.size).toBe(0)
    expect(again.config.keys.purgeKey.reveal()).toBe(config.keys.purgeKey.reveal())
    expect(JSON.stringify(config)).not.toContain(config.keys.purgeKey.reveal())
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

test('a former key is good beside the one it was replaced by, wherever that one is kept', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-config-'))
  try {
    await Bun.write(
      join(directory, 'keys.json'),
      JSON.stringify({
        ACCESS_KEY: 'new',
        ACCESS_KEY_PREVIOUS: 'old',
        PURGE_KEY_PREVIOUS: 'stale',
      }),
    )
    const read = (environment: Record<string, string>) =>
      completeConfig(readSettings({ DATA_DIR: directory, ...environment }))
    const { config } = await read({
      PURGE_KEY: 'mine',
      ACCOUNT_KEY: 'x',
      ACCOUNT_KEY_PREVIOUS: 'y',
    })
    expect(config.keys.accessKey.reveal()).toBe('new')
    expect(config.previousKeys.accessKey?.reveal()).toBe('old')
    expect(config.previousKeys.accountKey?.reveal()).toBe('y')
    expect(config.previousKeys.purgeKey).toBeUndefined()
    expect((await read({ ACCESS_KEY: 'mine' })).config.previousKeys.accessKey).toBeUndefined()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

test('a URL of a model and its name go together', () => {
  expect(faultsOf({ CHAT_BASE_URL: 'http://127.0.0.1:1' })).toEqual([
    'CHAT_MODEL must be set where CHAT_BASE_URL is',
  ])
  expect(faultsOf({ EMBED_MODEL: 'small' })).toEqual([
    'EMBED_BASE_URL must be set where EMBED_MODEL is',
  ])
  expect(faultsOf({ CHAT_BASE_URL: 'file:///x', CHAT_MODEL: 'm' })[0]).toStartWith('CHAT_BASE_URL')
  expect(
    readSettings({ CHAT_BASE_URL: 'http://127.0.0.1:11434/v1/', CHAT_MODEL: 'm' }).chatBaseUrl,
  ).toBe('http://127.0.0.1:11434/v1')
})

test('a store elsewhere needs its credentials, and a database has to be named', () => {
  expect(faultsOf({ BLOB_STORE: 's3://bucket' }).map((fault) => fault.split(' ')[0] ?? '')).toEqual(
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  )
  expect(faultsOf({ DATABASE_URL: 'postgres://db.example.org' })).toHaveLength(1)
  const { databaseUrl } = readSettings({ DATABASE_URL: 'postgres://a:secret@db.example.org/sedge' })
  expect(JSON.stringify(databaseUrl)).not.toContain('secret@')
})

test('every path is absolute, whatever directory a child process runs in', () => {
  const relative = readSettings({
    DATA_DIR: 'my data',
    TLS_CERT_FILE: 'tls/cert.pem',
    TLS_KEY_FILE: '../key.pem',
    TLS_CERTIFICATES: 'www.example.org=a.pem:b.pem',
    ACME_CA_FILE: 'authority.pem',
  })
  expect(relative).toMatchObject({
    dataDirectory: resolve('my data'),
    tlsCertificateFile: resolve('tls/cert.pem'),
    tlsKeyFile: resolve('../key.pem'),
    tlsCertificates: [{ certificateFile: resolve('a.pem'), keyFile: resolve('b.pem') }],
    acmeCaFile: resolve('authority.pem'),
  })
  expect(readSettings({}).dataDirectory).toBe(resolve('data'))
  expect(dataDirectoryOf({ DATA_DIR: ' ' })).toBe(resolve('data'))
  expect(dataDirectoryOf({ DATA_DIR: './there' })).toBe(resolve('there'))
})

test('what one zone may stage holds at least one file', () => {
  expect(faultsOf({ MAX_FILE_MB: '3000', MAX_STAGED_GB: '2' })).toEqual([
    'MAX_STAGED_GB must be at least as much as MAX_FILE_MB',
  ])
  expect(faultsOf({ MAX_FILE_MB: '2048', MAX_STAGED_GB: '2' })).toEqual([])
})
