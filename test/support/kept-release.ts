import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { access, account, startService, temporaryDirectory } from './service-process.ts'

/** What a version responded to a question. */
export interface KeptResponse {
  readonly path: string
  readonly status: number
  /** Of JSON. */
  readonly body?: unknown
  /** Of anything else. */
  readonly sha256?: string
}

/** What every version is asked; nothing in the responses is of the moment. */
const questions = [
  '/acme/v1/icons/star.svg',
  '/acme/v1/texts/note.txt',
  '/acme/v1/texts/gone.txt',
  '/acme/v1/texts/former.txt',
  '/docs-site/v1/pages/page.html',
  '/api/core/zones',
  '/api/core/zones/acme',
  '/api/assets/metadata?path=acme/v1/texts/note.txt',
  '/api/assets/history?path=acme/v1/texts/note.txt',
  '/api/tokens',
  '/api/webhooks',
] as const

/** Data directories are as large as what is in them, but for what is made anew. */
const madeAnew = ['cache', 'logs', 'zone-repositories', 'process.lock']
const archive = 'data.tar.gz'

/** Makes a data directory with something of everything in it, and keeps it with what it responds. */
export async function recordRelease(directory: string): Promise<void> {
  await using temporary = await temporaryDirectory()
  const dataDirectory = join(temporary.path, 'data')
  await using service = await startService({ dataDirectory })
  const send = async (method: string, path: string, body: string): Promise<void> => {
    const headers = path.startsWith('/api/storage/') ? access : bothKeys
    const response = await fetch(`${service.url}${path}`, { method, headers, body })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  }
  for (const [method, path, body] of writes) await send(method, path, body)
  const responses = await responsesOf(service.url)
  await service.stop()
  for (const name of madeAnew) await rm(join(dataDirectory, name), { recursive: true, force: true })
  await run([
    'tar',
    '--owner=0',
    '--group=0',
    '-czf',
    join(directory, archive),
    '-C',
    dataDirectory,
    '.',
  ])
  await Bun.write(join(directory, 'responses.json'), `${JSON.stringify(responses, undefined, 2)}\n`)
}

const bothKeys = { ...account, ...access }

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>'

const writes = [
  ['POST', '/api/core/zones', '{"Name":"acme"}'],
  ['POST', '/api/core/zones', '{"Name":"docs-site"}'],
  ['PUT', '/api/storage/acme/v1/icons/star.svg', svg],
  ['PUT', '/api/storage/acme/v1/texts/note.txt', 'the first version'],
  ['PUT', '/api/storage/acme/v1/texts/note.txt', 'the second version'],
  ['PUT', '/api/storage/acme/v1/texts/gone.txt', 'to be deleted'],
  ['PUT', '/api/storage/docs-site/v1/pages/page.html', '<!doctype html><title>Page</title>'],
  ['DELETE', '/api/storage/acme/v1/texts/gone.txt', ''],
  [
    'POST',
    '/api/core/rules',
    '{"File":"_redirects","Zone":"acme","Content":"/v1/texts/former.txt /v1/texts/note.txt 301\\n"}',
  ],
  [
    'PATCH',
    '/api/assets/metadata?path=acme/v1/texts/note.txt',
    '{"Title":"A note","Tags":["kept"]}',
  ],
  ['POST', '/api/tokens', '{"name":"kept","scopes":["zones:read"]}'],
  ['POST', '/api/webhooks', '{"url":"https://hooks.example.org/kept","events":["asset.created"]}'],
] as const

export async function responsesOf(url: string): Promise<readonly KeptResponse[]> {
  const responses: KeptResponse[] = []
  for (const path of questions) {
    const headers = path.startsWith('/api/') ? bothKeys : undefined
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      ...(headers && { headers }),
    })
    const { status } = response
    const bytes = Buffer.from(await response.arrayBuffer())
    responses.push({ path, status, ...(status === 200 ? contentOf(path, bytes, url) : {}) })
  }
  return responses
}

function contentOf(
  path: string,
  bytes: Buffer<ArrayBuffer>,
  url: string,
): Pick<KeptResponse, 'body' | 'sha256'> {
  if (!path.startsWith('/api/'))
    return { sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }
  const text = bytes.toString().replaceAll(url, 'http://sedge.test')
  const body: unknown = JSON.parse(text, (name, value: unknown) =>
    ofTheMoment.has(name) ? undefined : value,
  )
  return { body }
}

/** Left out of what is kept. */
const ofTheMoment = new Set(['DateFetched'])

export interface KeptRelease {
  readonly version: string
  readonly responses: readonly KeptResponse[]
  /** Puts its data directory there. */
  unpack(directory: string): Promise<void>
}

const releases = join(import.meta.dir, '..', 'fixtures', 'releases')

/** Every version that was kept, the oldest first. */
export async function keptReleases(): Promise<readonly KeptRelease[]> {
  const files = [...new Bun.Glob('*/responses.json').scanSync(releases)]
  const versions = files.map((file) => file.split('/', 1)[0] ?? '').toSorted(Bun.semver.order)
  return await Promise.all(
    versions.map(async (version) => ({
      version,
      responses: (await Bun.file(
        join(releases, version, 'responses.json'),
      ).json()) as readonly KeptResponse[],
      async unpack(directory: string) {
        await run(['mkdir', '-p', directory])
        await run(['tar', '-xzf', join(releases, version, archive), '-C', directory])
      },
    })),
  )
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'inherit'] })
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`)
}
