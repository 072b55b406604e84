import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

import { readDeployFile } from '../support/deploy-files.ts'
import { freePort } from '../support/free-port.ts'
import { freshClone, imageTree } from '../support/fresh-clone.ts'
import { gitCheckout, have } from '../support/needs.ts'
import { type ProcessGroup, startProcessGroup } from '../support/process-group.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const isAble = have('every way to start the service', gitCheckout)
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'

interface Start {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const start = async ({ words, cwd, env }: Start): Promise<ProcessGroup> =>
  await startProcessGroup(words, { cwd, env }, /ready at http\S+/u)

/** A file is stored with the keys that the start made, delivered, and drawn as an image. */
async function expectToWork(port: string, dataDirectory: string): Promise<void> {
  const url = `http://localhost:${port}`
  const keys = await Bun.file(join(dataDirectory, 'keys.json')).json()
  const made = await fetch(`${url}/api/core/zones`, {
    method: 'POST',
    headers: { AccountKey: keys.ACCOUNT_KEY, 'Content-Type': 'application/json' },
    body: '{"Name":"acme"}',
  })
  expect(made.status).toBe(201)
  const path = 'acme/v1/logos/logo.svg'
  const stored = await fetch(`${url}/api/storage/${path}`, {
    method: 'PUT',
    headers: { AccessKey: keys.ACCESS_KEY },
    body: svg,
  })
  expect(stored.status).toBe(201)
  expect(await (await fetch(`${url}/${path}`)).text()).toBe(svg)
  const drawn = await fetch(`${url}/api/transform?url=/${path}&w=32&format=webp`)
  expect({ status: drawn.status, type: drawn.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'image/webp',
  })
  expect(await sharp(await drawn.bytes()).metadata()).toMatchObject({ format: 'webp', width: 32 })
}

const plainEnvironment = (home: string, port: string) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  PORT: port,
})

test.skipIf(!isAble)(
  'from any directory, the data are in the one that the service is started in',
  async () => {
    await using directory = await temporaryDirectory()
    const [clone, elsewhere] = ['the clone', 'elsewhere'].map((name) => join(directory.path, name))
    if (clone === undefined || elsewhere === undefined) throw new Error('there are two')
    await freshClone(clone)
    await mkdir(elsewhere)
    const port = String(await freePort())
    const env = plainEnvironment(directory.path, port)
    {
      const words = ['node', join(clone, 'bin', 'sedge.js'), 'serve']
      await using service = await start({ words, cwd: elsewhere, env })
      await expectToWork(port, join(elsewhere, 'data'))
      expect(existsSync(join(clone, 'data'))).toBe(false)
      expect(await service.interrupt()).toBe(0)
    }
    await using service = await start({ words: ['npx', 'sedge', 'serve'], cwd: clone, env })
    await expectToWork(port, join(clone, 'data'))
    await service.interrupt()
  },
  120_000,
)

test.skipIf(!isAble)(
  'whoever ends the command ends the service, and it ends in order',
  async () => {
    await using directory = await temporaryDirectory()
    const clone = join(directory.path, 'clone')
    await freshClone(clone)
    const env = plainEnvironment(directory.path, String(await freePort()))
    const words = ['node', 'bin/sedge.js', 'serve']
    await using service = await start({ words, cwd: clone, env })
    service.tellFirst('SIGTERM')

    expect(await service.exited).toBe(0)
    await expect(fetch(`http://localhost:${env.PORT}/api/health`)).rejects.toThrow()
  },
  120_000,
)

/** The value of an instruction that stands once in the Dockerfile's last stage. */
const instruction = (dockerfile: string, name: string): string =>
  new RegExp(`^${name} ((?:.*\\\\\\n)*.*)$`, 'mu').exec(
    dockerfile.split(/^FROM /mu).at(-1) ?? '',
  )?.[1] ?? ''

test.skipIf(!isAble)(
  'the image starts with what is in it, and its health check is content',
  async () => {
    await using directory = await temporaryDirectory()
    const app = join(directory.path, 'app')
    const dataDirectory = join(directory.path, 'data')
    const dockerfile = await readDeployFile('Dockerfile')
    await imageTree(app, 'deploy/Dockerfile.dockerignore')
    const settings = Object.fromEntries(
      instruction(dockerfile, 'ENV')
        .split(/\s+/u)
        .map((pair) => pair.split('=') as [string, string]),
    )
    expect(settings).toMatchObject({ DATA_DIR: '/data', HOST: '0.0.0.0' })
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...settings,
      DATA_DIR: dataDirectory,
      PORT: String(await freePort()),
    }
    const [init, end, ...program]: string[] = JSON.parse(instruction(dockerfile, 'ENTRYPOINT'))
    expect([init, end]).toEqual(['tini', '--'])
    const words = [...program, ...JSON.parse(instruction(dockerfile, 'CMD'))]
    await using service = await start({ words, cwd: app, env })
    await expectToWork(env.PORT, dataDirectory)
    const [, check = ''] = /^ +CMD (\[.*\])$/mu.exec(dockerfile) ?? []
    const asked = Bun.spawn(JSON.parse(check), { cwd: app, env })
    expect(await asked.exited).toBe(0)
    expect(await service.interrupt()).toBe(0)
  },
  120_000,
)

test.skipIf(!isAble)(
  'the unit for systemd starts what it names, and a reload does not end it',
  async () => {
    await using directory = await temporaryDirectory()
    const unit = await readDeployFile('sedge.service')
    const valueOf = (name: string): string =>
      new RegExp(`^${name}=(.*)$`, 'mu').exec(unit)?.[1] ?? ''
    const app = join(directory.path, 'opt', 'sedge')
    const here = (text: string) => text.replaceAll('/opt/sedge', app)
    await imageTree(app, 'deploy/Dockerfile.dockerignore')
    const [name = '', state = ''] = valueOf('Environment').split('=')
    expect(state).toBe(`/var/lib/${valueOf('StateDirectory')}`)
    const dataDirectory = join(directory.path, state)
    const port = String(await freePort())
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', [name]: dataDirectory, PORT: port }
    const words = here(valueOf('ExecStart')).split(' ')
    await using service = await start({ words, cwd: here(valueOf('WorkingDirectory')), env })
    await expectToWork(port, dataDirectory)
    expect(valueOf('ExecReload')).toBe('/bin/kill -HUP $MAINPID')
    service.tellFirst('SIGHUP')
    expect((await fetch(`http://localhost:${port}/api/health`)).status).toBe(200)
    service.tellFirst('SIGTERM')
    expect(await service.exited).toBe(0)
  },
  120_000,
)
