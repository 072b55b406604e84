import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { chunked } from '../support/aws-chunked.ts'
import { createS3Client, openS3Client, presigned, signed } from '../support/s3-client.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

async function openWorld() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const service = opening.use(await startService({ dataDirectory: directory.path }))
  for (const Name of ['acme', 'bolt']) {
    const body = JSON.stringify({ Name })
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  }
  const opened = opening.move()
  return {
    service,
    send: (path: string, init: RequestInit) => fetch(`${service.url}${path}`, init),
    async sedge(...words: readonly string[]) {
      const child = Bun.spawn([process.execPath, cli, ...words, '--url', service.url], {
        env: {
          PATH: process.env['PATH'] ?? '',
          DATA_DIR: directory.path,
          ACCOUNT_KEY: account.AccountKey,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, error] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      return { out, error, exitCode: await child.exited }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const codeOf = async (response: Response): Promise<string> => {
  const [, code = ''] = /<Code>(\w+)<\/Code>/u.exec(await response.text()) ?? []
  return `${response.status} ${code}`
}

test('sedge s3-key prints a key that sees its zones, until it is revoked', async () => {
  await using world = await openWorld()
  const made = await world.sedge('s3-key', 'create', '--zone', 'acme', '--read-only', '--days', '3')
  expect(made).toMatchObject({ exitCode: 0 })
  const setting = (name: string) => new RegExp(`^${name}=(\\S+)$`, 'mu').exec(made.out)?.[1] ?? ''
  expect(setting('AWS_ENDPOINT_URL_S3')).toBe(`${world.service.url}/s3`)
  expect(made.out).toContain(`secret_access_key = ${setting('AWS_SECRET_ACCESS_KEY')}\n`)
  const client = createS3Client({
    send: world.send,
    origin: world.service.url,
    region: setting('AWS_REGION'),
    credentials: {
      accessKeyId: setting('AWS_ACCESS_KEY_ID'),
      secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
      sessionToken: undefined,
    },
  })
  const listed = await (await client.send('GET', '/')).text()
  expect(listed).toContain('<Name>acme</Name>')
  expect(listed).not.toContain('bolt')

  const { out } = await world.sedge('token', 'list', '--json')
  expect(JSON.parse(out)).toMatchObject([
    { name: 'S3', s3: true, zones: ['acme'], scopes: ['storage:read', 'zones:read'] },
  ])
  expect(out).not.toContain(setting('AWS_SECRET_ACCESS_KEY'))

  await world.sedge('token', 'revoke', setting('AWS_ACCESS_KEY_ID'))
  expect(await codeOf(await client.send('GET', '/'))).toBe('403 InvalidAccessKeyId')
}, 60_000)

test('what is signed stays so on its way to whoever writes', async () => {
  await using world = await openWorld()
  const client = await openS3Client(world.service, { zones: ['acme'] })
  const key = 'acme/a b+c/ü (1)!.txt'
  const headers = { 'Content-Type': 'text/plain', 'x-amz-meta-note': ' two words ' }
  expect((await client.put(key, 'signed whole', headers)).status).toBe(200)
  const framed = await client.put(key, chunked(Buffer.from('hello')), {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '5',
  })
  expect(framed.status).toBe(200)
  expect(await (await client.get(key, { Range: 'bytes=1-2' })).text()).toBe('el')
  const path = `/${key.split('/').map(encodeURIComponent).join('/')}`
  const { credentials } = client
  const url = presigned('GET', path, { origin: world.service.url, credentials })
  expect(await (await fetch(url)).text()).toBe('hello')
}, 60_000)

test('whoever signs with another key, for another address or not at all is refused', async () => {
  await using world = await openWorld()
  const client = await openS3Client(world.service, { zones: ['acme'] })
  const { credentials } = client
  const origin = world.service.url
  const sendSigned = async (changes: Partial<typeof credentials>, path = '/') => {
    const { headers } = signed('GET', '/', { origin, credentials: { ...credentials, ...changes } })
    return await codeOf(await world.send(`/s3${path}`, { headers }))
  }
  expect(await sendSigned({})).toBe('200 ')
  expect(await sendSigned({ secretAccessKey: 'a' })).toBe('403 SignatureDoesNotMatch')
  expect(await sendSigned({ accessKeyId: 'a' })).toBe('403 InvalidAccessKeyId')
  expect(await sendSigned({}, '/?x=1')).toBe('403 SignatureDoesNotMatch')
  expect(await codeOf(await world.send('/s3/', {}))).toBe('403 AccessDenied')

  const body = JSON.stringify({ name: 'bearer alone', scopes: ['zones:read'] })
  const bearer = await world.send('/api/tokens', { method: 'POST', headers: account, body })
  const made = (await bearer.json()) as Record<string, string>
  expect(made).not.toHaveProperty('SecretAccessKey')
  expect(await sendSigned({ accessKeyId: made['id'] ?? '' })).toBe('403 InvalidAccessKeyId')
}, 60_000)
