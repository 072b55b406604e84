import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

import { sedge } from '../support/sedge-command.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const blobFile = (dataDirectory: string, content: string): string => {
  const hex = createHash('sha256').update(content).digest('hex')
  return join(dataDirectory, 'blobs', 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
}

async function storeThree(dataDirectory: string): Promise<void> {
  await using service = await startService({ dataDirectory })
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"acme"}',
  })
  for (const name of ['one', 'two', 'three'])
    await fetch(`${service.url}/api/storage/acme/v1/logos/${name}.txt`, {
      method: 'PUT',
      headers: { ...access, 'Content-Type': 'text/x-odd' },
      body: name,
    })
}

async function catalogued(dataDirectory: string) {
  await using service = await startService({ dataDirectory })
  const list = await (await fetch(`${service.url}/api/assets`, { headers: access })).json()
  const served = await (await fetch(`${service.url}/acme/v1/logos/two.txt`)).text()
  return { data: list.Data, served }
}

test('the doctor finds lost and damaged blobs and puts them back from git', async () => {
  await using directory = await temporaryDirectory()
  const environment = { DATA_DIR: join(directory.path, 'data') }
  await storeThree(environment.DATA_DIR)
  expect(await sedge(['doctor'], environment)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('All is well'),
  })

  await rm(blobFile(environment.DATA_DIR, 'one'))
  await Bun.write(blobFile(environment.DATA_DIR, 'two'), 'tw0')
  const found = await sedge(['doctor'], environment)
  expect(found.exitCode).toBe(1)
  expect(found.out).toContain('blob-missing: acme/v1/logos/one.txt')
  expect(found.out).toContain('blob-damaged: acme/v1/logos/two.txt')

  expect((await sedge(['doctor', '--repair'], environment)).exitCode).toBe(0)
  expect((await sedge(['doctor'], environment)).exitCode).toBe(0)
  expect((await catalogued(environment.DATA_DIR)).served).toBe('two')
}, 60_000)

test('a running service puts lost and damaged blobs back from git, and refuses no image for them', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  await using service = await startService({ dataDirectory })
  const { url } = service
  await fetch(`${url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"acme"}',
  })
  const noise = new Uint8Array(300 * 300 * 3)
  for (const place of noise.keys()) noise[place] = (place * 7919) % 251
  const raw = { width: 300, height: 300, channels: 3 } as const
  const pngOf = async (level: number) =>
    new Uint8Array(await sharp(noise, { raw }).png({ compressionLevel: level }).toBuffer())
  const images = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [level, name] of ['lost', 'damaged', 'cut', 'read'].entries())
    images.set(name, await pngOf(level + 1))
  for (const [name, body] of images)
    await fetch(`${url}/api/storage/acme/v1/icons/${name}.png`, {
      method: 'PUT',
      headers: access,
      body,
    })
  const fileOf = (name: string) => {
    const hex = createHash('sha256')
      .update(images.get(name) ?? '')
      .digest('hex')
    return join(dataDirectory, 'blobs', 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
  }
  const isPutBack = async (name: string) =>
    Buffer.from(await Bun.file(fileOf(name)).bytes()).equals(images.get(name) ?? Buffer.of())
  const widthOf = async (name: string, width: number) => {
    const made = await fetch(`${url}/api/transform?url=/acme/v1/icons/${name}.png&w=${width}`)
    return made.status === 200
      ? (await sharp(await made.bytes()).metadata()).width
      : `${made.status} ${await made.text()}`
  }

  await rm(fileOf('lost'))
  expect(await widthOf('lost', 40)).toBe(40)
  expect(await isPutBack('lost')).toBe(true)

  await Bun.write(fileOf('damaged'), 'no picture at all')
  expect(await widthOf('damaged', 41)).toBe(41)
  expect(await isPutBack('damaged')).toBe(true)

  // Known before it was damaged, so that nobody looks at what kind of file it is.
  expect(await widthOf('cut', 42)).toBe(42)
  const whole = images.get('cut') ?? new Uint8Array()
  await Bun.write(fileOf('cut'), whole.subarray(0, whole.length / 2))
  expect(await widthOf('cut', 43)).toBe(43)
  expect(await isPutBack('cut')).toBe(true)

  await rm(fileOf('read'))
  const delivered = await fetch(`${url}/acme/v1/icons/read.png`)
  expect(delivered.status).toBe(200)
  expect(await delivered.bytes()).toEqual(images.get('read') ?? new Uint8Array())

  const logs = await (await fetch(`${url}/api/logs`, { headers: account })).json()
  const said = logs.Entries.filter(({ level }: { level: string }) => level === 'error').map(
    ({ message, path }: { message: string; path: string }) => `${message}: ${path}`,
  )
  expect(said.toSorted()).toEqual([
    'a blob was damaged and is put back from the repository: acme/v1/icons/cut.png',
    'a blob was damaged and is put back from the repository: acme/v1/icons/damaged.png',
    'a blob was missing and is put back from the repository: acme/v1/icons/lost.png',
    'a blob was missing and is put back from the repository: acme/v1/icons/read.png',
  ])
}, 60_000)

test('a rebuild makes the same catalogue and the blobs again from git alone', async () => {
  await using directory = await temporaryDirectory()
  const environment = { DATA_DIR: join(directory.path, 'data') }
  await storeThree(environment.DATA_DIR)
  const before = await catalogued(environment.DATA_DIR)
  expect(before.data).toHaveLength(3)
  expect(before.data[0].ContentType).toBe('text/x-odd')

  for (const lost of ['sedge.db', 'sedge.db-wal', 'sedge.db-shm', 'blobs'])
    await rm(join(environment.DATA_DIR, lost), { recursive: true, force: true })
  const rebuilt = await sedge(['rebuild'], environment)
  expect(rebuilt).toMatchObject({ exitCode: 0, out: expect.stringContaining('3 assets') })

  expect(await catalogued(environment.DATA_DIR)).toEqual(before)
}, 60_000)

test('a data directory in use is refused to everybody else', async () => {
  await using directory = await temporaryDirectory()
  const environment = { DATA_DIR: join(directory.path, 'data') }
  await using service = await startService({ dataDirectory: environment.DATA_DIR })

  for (const command of ['serve', 'doctor', 'rebuild']) {
    const refused = await sedge([command], environment)
    expect(refused.exitCode).toBe(1)
    expect(refused.error).toContain(`is in use by process ${service.pid}`)
  }
}, 60_000)

test('a port that is taken is said in words', async () => {
  await using directory = await temporaryDirectory()
  using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const environment = { DATA_DIR: join(directory.path, 'data'), PORT: String(taken.port) }
  const refused = await sedge(['serve'], environment)

  expect(refused.exitCode).toBe(1)
  expect(refused.error).toContain('set PORT to another port')
  expect(refused.error).not.toContain(' at ')
}, 30_000)

test('every fault of the configuration is told at once', async () => {
  const refused = await sedge(['serve'], { PORT: 'high', ACCOUNT_KEY_IS_ADMIN: 'perhaps' })

  expect(refused.exitCode).toBe(1)
  expect(refused.error).toContain('PORT must be a whole number')
  expect(refused.error).toContain('ACCOUNT_KEY_IS_ADMIN must be one of true, false')
})

test('a wrong word is answered with the right ones', async () => {
  const unknown = await sedge(['frobnicate'])
  expect(unknown.exitCode).toBe(2)
  expect(unknown.error).toContain('import')

  const incomplete = await sedge(['import', '/tmp'])
  expect(incomplete.exitCode).toBe(2)
  expect(incomplete.error).toContain('--zone')
})
