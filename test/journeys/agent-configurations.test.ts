import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { agentPackage, connectOverHttp, connectOverStdio } from '../support/agent-client.ts'
import { fencedBlocks } from '../support/documented-code.ts'
import { have } from '../support/needs.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

interface Configured {
  readonly type?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

interface Configuration {
  readonly mcpServers?: Readonly<Record<string, Configured>>
  readonly servers?: Readonly<Record<string, Configured>>
}

const blocks = await fencedBlocks('agents.md')
const configurations = blocks.filter(({ language }) => language === 'json')
const cli = join(import.meta.dir, '../../src/cli/main.ts')

let service: ServiceProcess
let token: string
let directory: string
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  directory = closing.use(await temporaryDirectory()).path
  service = closing.use(await startService({ dataDirectory: join(directory, 'data') }))
  await worldOf(service).zone('acme')
  await mkdir(join(directory, 'bin'))
  const program = join(directory, 'bin', 'sedge')
  await Bun.write(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`)
  await chmod(program, 0o755)
}, 60_000)
afterAll(() => closing.disposeAsync())

/** What a client puts in place of its own variables, and a reader in place of the examples. */
const filledIn = (text: string): string =>
  text
    .replaceAll(/\$\{(?:env:)?SEDGE_TOKEN\}|\$\{input:sedge-token\}|cdnsk_…/gu, token)
    .replaceAll('https://assets.example', service.url)

test('the commands of the page make a token, and get the skill', async () => {
  const environment = {
    PATH: `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    SEDGE_URL: service.url,
    ...testKeys,
  }
  const out: string[] = []
  for (const { code } of blocks.filter(({ language }) => language === 'sh')) {
    const script = code.replaceAll('https://assets.example', service.url)
    const child = Bun.spawn(['sh', '-e', '-c', script], {
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [written, error, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    expect([exitCode, exitCode === 0 ? '' : error]).toEqual([0, ''])
    out.push(written)
  }
  token = /cdnsk_[\w-]+/u.exec(out.join('\n'))?.[0] ?? ''
  expect(token).not.toBe('')
  const skill = await Bun.file(join(directory, '.claude/skills/sedge/SKILL.md')).text()
  expect(skill).toStartWith('---\nname: sedge\n')
}, 120_000)

describe.skipIf(!have('configurations of agents', agentPackage))('configurations of agents', () => {
  test.each(configurations.map(({ code }, at) => [at + 1, code] as const))(
    'block %i connects to the service',
    async (_, code) => {
      const configuration = JSON.parse(filledIn(code)) as Configuration
      const { sedge } = configuration.mcpServers ?? configuration.servers ?? {}
      if (sedge === undefined) throw new Error('it configures no sedge')
      const revision = '2025-11-25'
      const agent = await (sedge.command === undefined
        ? connectOverHttp({
            revision,
            url: new URL(sedge.url ?? '').origin,
            headers: sedge.headers ?? {},
          })
        : connectOverStdio({
            revision,
            command: [join(directory, 'bin', sedge.command), ...(sedge.args ?? [])],
            environment: { PATH: process.env['PATH'] ?? '', HOME: directory, ...sedge.env },
          }))
      try {
        if (sedge.url !== undefined) expect(new URL(sedge.url).pathname).toBe('/mcp')
        expect((await agent.listTools()).tools.map(({ name }) => name)).toContain('store_file')
      } finally {
        await agent.close()
      }
    },
    120_000,
  )
})
