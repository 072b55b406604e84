import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { startProgram, untilResponding } from '../support/child-program.ts'
import { freePorts } from '../support/free-port.ts'
import { have, type Need } from '../support/needs.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

/** Every configuration of a front in the documentation is run, with nothing but ports and paths changed. */
const readPage = (name: string): Promise<string> =>
  readFile(join(import.meta.dir, '../../docs', name), 'utf8')
const customDomains = await readPage('custom-domains.md')
const reverseProxy = await readPage('reverse-proxy.md')

const blocksOf = (language: string, page = customDomains): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gsu'))].map(
    ([, block = '']) => block,
  )

const find = (name: string): string | null =>
  Bun.which(name, { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` })
const pathOf = (name: string): string => find(name) ?? name

const program = (what: string, packageName = what): Need => ({
  what,
  howToGetIt: `apt-get install ${packageName}`,
  isThere: () => find(what) !== null,
})

const hostname = 'www.acme.example'
const limitMs = 90_000

async function setUp(environment: Readonly<Record<string, string>> = {}) {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const domains = join(directory.path, 'domains')
  await mkdir(domains)
  const certificate = makeCertificate(domains, hostname, hostname)
  const tls = { TLS_CERT_FILE: certificate.certificateFile, TLS_KEY_FILE: certificate.keyFile }
  const service = opening.use(
    await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'error',
        ...(environment['HTTP_PORT'] !== undefined && tls),
        ...environment,
      },
    }),
  )
  const ask = async (path: string, init: RequestInit) =>
    await fetch(`${service.url}/api/${path}`, { ...init, tls: { rejectUnauthorized: false } })
  await ask('core/zones', { method: 'POST', headers: account, body: '{"Name":"acme"}' })
  await ask('storage/acme/v1/a.txt', { method: 'PUT', headers: access, body: 'hello' })
  const body = JSON.stringify({ Hostname: hostname })
  await ask('core/zones/acme/domains', { method: 'POST', headers: account, body })
  const opened = opening.move()
  return {
    directory: directory.path,
    certificate,
    domains,
    port: Number(new URL(service.url).port),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const get = (port: number, name = hostname) =>
  fetch(`https://127.0.0.1:${port}/v1/a.txt`, {
    headers: { Host: name },
    tls: { rejectUnauthorized: false, serverName: name },
  })

const getPlain = (port: number) =>
  fetch(`http://127.0.0.1:${port}/v1/a.txt`, { headers: { Host: hostname }, redirect: 'manual' })

async function expectFile(port: number): Promise<void> {
  await untilResponding(() => get(port))
  const response = await get(port)
  expect([response.status, await response.text()]).toEqual([200, 'hello'])
}

test.skipIf(!have('the configuration of Caddy', program('caddy'), openssl))(
  'Caddy orders certificates for the domains there are, and for no other name',
  async () => {
    await using world = await setUp()
    const [httpsPort = 0, httpPort = 0] = freePorts(2)
    const [block = ''] = blocksOf('caddyfile')
    const file = join(world.directory, 'Caddyfile')
    // Its own authority signs, instead of one that has to reach it from outside.
    const ports = `\tadmin off\n\tlocal_certs\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n`
    await Bun.write(file, block.replace('{\n', `{\n${ports}`).replaceAll(':8788', `:${world.port}`))
    await using _caddy = startProgram(
      [pathOf('caddy'), 'run', '--config', file, '--adapter', 'caddyfile'],
      { HOME: world.directory, XDG_DATA_HOME: world.directory, XDG_CONFIG_HOME: world.directory },
    )

    await expectFile(httpsPort)
    expect(await get(httpsPort, 'stranger.example').catch(() => 'refused')).toBe('refused')
    expect((await getPlain(httpPort)).status).toBe(308)
  },
  limitMs,
)

async function runNginx(directory: string, servers: string) {
  const file = join(directory, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n')
  await Bun.write(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log stderr; user root;
      events {} http { access_log off; ${paths}\n${servers} }`,
  )
  return startProgram([pathOf('nginx'), '-p', directory, '-c', file])
}

const hasNginx = have('the configurations of nginx', program('nginx', 'nginx-light'), openssl)

test.skipIf(!hasNginx)(
  'nginx serves a domain with its own certificate, and redirects to https',
  async () => {
    await using world = await setUp()
    const [httpsPort = 0, httpPort = 0] = freePorts(2)
    const [block = ''] = blocksOf('nginx')
    const servers = block
      .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
      .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
      .replaceAll('/etc/ssl/domains', world.domains)
      .replaceAll(':8788', `:${world.port}`)
    await using _nginx = await runNginx(world.directory, servers)

    await expectFile(httpsPort)
    expect(await get(httpsPort, 'stranger.example').catch(() => 'refused')).toBe('refused')
    const plain = await getPlain(httpPort)
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      `https://${hostname}/v1/a.txt`,
    ])
  },
  limitMs,
)

test.skipIf(!hasNginx)(
  'nginx in front of the service alone passes on the name that was asked for',
  async () => {
    await using world = await setUp()
    const [httpsPort = 0] = freePorts(1)
    const [block = ''] = blocksOf('nginx', reverseProxy)
    const { certificateFile, keyFile } = world.certificate
    const server = block
      .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
      .replace('/etc/ssl/assets.example.pem', certificateFile)
      .replace('/etc/ssl/assets.example.key', keyFile)
      .replaceAll(':8788', `:${world.port}`)
    await using _nginx = await runNginx(world.directory, server)

    await expectFile(httpsPort)
  },
  limitMs,
)

test.skipIf(!have('the short configuration of Caddy', program('caddy'), openssl))(
  'Caddy needs three lines in front of the service alone',
  async () => {
    await using world = await setUp()
    const [httpsPort = 0, httpPort = 0] = freePorts(2)
    const [block = ''] = blocksOf('caddyfile', reverseProxy)
    const file = join(world.directory, 'Caddyfile')
    const ports = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n}\n`
    const site = block.replace('assets.example', hostname).replaceAll(':8788', `:${world.port}`)
    await Bun.write(file, ports + site)
    await using _caddy = startProgram(
      [pathOf('caddy'), 'run', '--config', file, '--adapter', 'caddyfile'],
      { HOME: world.directory, XDG_DATA_HOME: world.directory, XDG_CONFIG_HOME: world.directory },
    )

    await expectFile(httpsPort)
  },
  limitMs,
)

const haproxy = have('the configurations of load balancers', program('haproxy'), openssl)

test.skipIf(!haproxy)(
  'a balancer that passes TCP on leaves TLS and redirects to the service',
  async () => {
    const [httpPort = 0, frontPort = 0, plainFrontPort = 0] = freePorts(3)
    await using world = await setUp({ HTTP_PORT: String(httpPort) })
    const [block = ''] = blocksOf('haproxy')
    const file = join(world.directory, 'haproxy.cfg')
    await Bun.write(
      file,
      block
        .replace('bind :443', `bind 127.0.0.1:${frontPort}`)
        .replace('bind :80', `bind 127.0.0.1:${plainFrontPort}`)
        .replace(':8443', `:${world.port}`)
        .replace(':8080', `:${httpPort}`),
    )
    await using _haproxy = startProgram([pathOf('haproxy'), '-db', '-f', file])

    await expectFile(frontPort)
    // There is no certificate of the service's own for it, so it does not redirect.
    expect((await getPlain(plainFrontPort)).status).toBe(200)
  },
  limitMs,
)

test.skipIf(!haproxy)(
  'a balancer that does TLS itself passes the domain on',
  async () => {
    await using world = await setUp()
    const [frontPort = 0] = freePorts(1)
    const { certificateFile, keyFile } = world.certificate
    const pair = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')])
    await mkdir(join(world.directory, 'pairs'))
    await Bun.write(join(world.directory, 'pairs', 'www.pem'), pair.join(''))
    const [, block = ''] = blocksOf('haproxy')
    const file = join(world.directory, 'haproxy.cfg')
    await Bun.write(
      file,
      block
        .replace('bind :443', `bind 127.0.0.1:${frontPort}`)
        .replace('/etc/ssl/domains/', `${world.directory}/pairs/`)
        .replace(':8788', `:${world.port}`),
    )
    await using _haproxy = startProgram([pathOf('haproxy'), '-db', '-f', file])

    await expectFile(frontPort)
  },
  limitMs,
)
