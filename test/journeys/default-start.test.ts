import { expect, test } from 'bun:test'
import { cp, mkdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const root = join(import.meta.dir, '..', '..')

/** The program as it is checked out, in a folder of that name. */
async function checkOut(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const part of ['package.json', 'bin', 'src', 'web', 'docs'])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/**
 * What `npm start` runs there, as npm runs it, with no setting but a port and keys that are known. Not
 * under npm itself, which does not hand signals on to the service.
 */
async function npmStart(folder: string, environment: Readonly<Record<string, string>> = {}) {
  const { scripts } = (await Bun.file(join(folder, 'package.json')).json()) as {
    readonly scripts: { readonly start: string }
  }
  const child = Bun.spawn(['sh', '-c', `exec ${scripts.start}`], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      ...testKeys,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const reader = child.stdout.getReader()
  let said = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the service ended with ${await child.exited}: ${said}`)
    said += new TextDecoder().decode(value)
    const url = /ready at (http:\S+?)\/?\s/u.exec(said)?.[1]
    if (url === undefined) continue
    return {
      url,
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        while (!(await reader.read()).done);
        await child.exited
      },
    }
  }
}

/** A banner with words on it, so that it is read as well as looked at. */
const photograph = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#357' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="400" height="300"><text x="20" y="160" font-size="60" font-family="Noto Sans">Harbour</text></svg>',
        ),
      },
    ])
    .jpeg()
    .toBuffer()

const send = (url: string, init: RequestInit) => fetch(url, { method: 'POST', ...init })

async function fillZone(url: string): Promise<void> {
  const zone = await send(`${url}/api/core/zones`, { headers: account, body: '{"Name":"acme"}' })
  expect(zone.status).toBe(201)
  const put = await fetch(`${url}/api/storage/acme/v1/banners/harbour.jpg`, {
    method: 'PUT',
    headers: access,
    body: new Uint8Array(await photograph()),
  })
  expect(put.status).toBe(201)
}

async function expectImages(url: string): Promise<void> {
  const small = await fetch(
    `${url}/api/transform?url=/acme/v1/banners/harbour.jpg&w=100&format=png`,
  )
  expect(small.status).toBe(200)
  expect(await sharp(await small.bytes()).metadata()).toMatchObject({
    format: 'png',
    width: 100,
    height: 75,
  })
}

test('started as the README says, in a folder with a blank and other letters, images are made', async () => {
  await using directory = await temporaryDirectory()
  const folder = join(directory.path, 'Ångström 你好', 'my assets')
  await checkOut(folder)
  await using service = await npmStart(folder, { EDGE_WORKERS: '1' })
  const { url } = service
  await fillZone(url)
  await expectImages(url)
  expect((await stat(join(folder, 'data', 'repository.git'))).isDirectory()).toBe(true)

  // Pages that are bundled from files of this folder.
  for (const page of ['/', '/dashboard/login', '/docs/', '/watch?path=/acme/v1/titles/f.mp4'])
    expect(`${page} ${(await fetch(url + page)).status}`).toBe(`${page} 200`)
  // Delivered by a process beside the main one.
  const delivered = await fetch(`${url}/acme/v1/banners/harbour.jpg`)
  expect(await delivered.bytes()).toEqual(new Uint8Array(await photograph()))
  const health = await (await fetch(`${url}/api/health?deep=1`)).json()
  expect(health).toMatchObject({ status: 'ok' })
})
