import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import {
  type AgentClient,
  agentPackage,
  connectOverHttp,
  connectOverStdio,
  spokenRevisions,
} from '../support/agent-client.ts'
import { have } from '../support/needs.ts'
import {
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

/** What people ask of an agent, done through the protocol alone. */
interface Task {
  readonly what: string
  readonly run: (agent: AgentClient, zone: string) => Promise<void>
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation responds with
async function called(agent: AgentClient, name: string, input: object): Promise<any> {
  const result = await agent.callTool({ name, arguments: input })
  if (result.isError === true) throw new Error(`${name}: ${result.content[0]?.text}`)
  return result.structuredContent
}

const sizes = [
  [728, 90],
  [300, 250],
  [160, 600],
] as const

const tasks: readonly Task[] = [
  {
    what: 'find a logo',
    async run(agent, zone) {
      const { results } = await called(agent, 'search', { q: 'logo', project: zone })
      expect(results[0].path).toContain('logo')
    },
  },
  {
    what: 'make a banner in three sizes',
    async run(agent, zone) {
      const path = `${zone}/v1/photos/sea.jpg`
      for (const [w, h] of sizes) {
        const input = { path, w, h, fit: 'cover', format: 'jpg' }
        const { Url: url } = await called(agent, 'image_url', input)
        const { width, height } = await sharp(await (await fetch(url)).bytes()).metadata()
        expect([width, height]).toEqual([w, h])
      }
    },
  },
  {
    what: 'describe an image that has no alternative text',
    async run(agent, zone) {
      const path = `${zone}/v1/photos/sea.jpg`
      await called(agent, 'describe_asset', { path, Alt: { en: 'The sea' }, live: true })
      const { Metadata } = await called(agent, 'get_asset_metadata', { path })
      expect(Metadata.Alt).toEqual({ en: 'The sea' })
    },
  },
  {
    what: 'move a folder',
    async run(agent, zone) {
      const move = { From: `${zone}/v1/old/`, To: `${zone}/v1/new/`, live: true }
      expect((await called(agent, 'move_files', move)).Files).toBe(2)
      const { Data } = await called(agent, 'list_assets', { folder: `${zone}/v1/new` })
      expect(Data).toHaveLength(2)
    },
  },
  {
    what: 'purge a tag',
    async run(agent) {
      const { purged } = await called(agent, 'purge', { tags: ['campaign'] })
      expect(purged).toEqual(['campaign'])
    },
  },
  {
    what: 'explain a redirect, and try one before it is made',
    async run(agent, zone) {
      const url = `/${zone}/v1/from.txt`
      const now = await called(agent, 'explain_rules', { url })
      expect(now.Redirects).toEqual([])
      const draft = await called(agent, 'explain_draft_rules', {
        Url: url,
        File: '_redirects',
        Content: `${url} /${zone}/v1/docs/to.txt 301`,
      })
      expect(draft.Redirects).toHaveLength(1)
    },
  },
  {
    what: 'roll back a change',
    async run(agent, zone) {
      const path = `${zone}/v1/docs/plan.txt`
      await called(agent, 'store_file', { path, text: 'first', live: true })
      await called(agent, 'store_file', { path, text: 'second', live: true })
      const { Versions } = await called(agent, 'get_asset_history', { path })
      await called(agent, 'undo_commit', { Commit: Versions[0].Commit })
      const { content } = await agent.callTool({ name: 'read_file', arguments: { path } })
      expect(content.at(-1)?.text).toContain('first')
    },
  },
  {
    what: 'publish a folder by a preview',
    async run(agent, zone) {
      await called(agent, 'create_preview', { id: zone, Name: 'spring' })
      for (const name of ['a', 'b'])
        await called(agent, 'store_file', {
          path: `${zone}/v1/spring/${name}.txt`,
          text: name,
          preview: 'spring',
        })
      const input = { id: zone, name: 'spring' }
      const { Differences } = await called(agent, 'get_preview_differences', input)
      expect(Differences).toHaveLength(2)
      expect((await called(agent, 'promote_preview', input)).Added).toBe(2)
    },
  },
  {
    what: 'share a private file for an hour',
    async run(agent, zone) {
      const path = `${zone}/v1/docs/plan.txt`
      const { Url: url } = await called(agent, 'sign_asset', { path, expiresInSeconds: 3600 })
      expect(await (await fetch(url)).text()).toBe('first')
    },
  },
  {
    what: 'find images that are there twice, and delete one',
    async run(agent, zone) {
      const path = `${zone}/v1/photos/sea.jpg`
      const twin = `${zone}/v1/photos/twin.jpg`
      await called(agent, 'copy_files', { From: path, To: twin, live: true })
      const alike = await called(agent, 'find_similar_assets', { path })
      expect(JSON.stringify(alike)).toContain(twin)
      await called(agent, 'delete_files', { Paths: [twin], live: true })
      const { Data } = await called(agent, 'list_assets', { folder: `${zone}/v1/photos` })
      expect(Data).toHaveLength(1)
    },
  },
]

let service: ServiceProcess
const closing = new AsyncDisposableStack()
const cli = join(import.meta.dir, '../../src/cli/main.ts')

beforeAll(async () => {
  const directory = closing.use(await temporaryDirectory())
  service = closing.use(await startService({ dataDirectory: directory.path }))
})
afterAll(() => closing.disposeAsync())

async function token(): Promise<string> {
  const scopes = [
    'assets:read',
    'storage:read',
    'storage:write',
    'metadata:write',
    'zones:read',
    'rules:read',
    'purge:write',
    'insights:read',
    'agents:live',
  ]
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'agent', scopes }),
  })
  return ((await response.json()) as { token: string }).token
}

async function furnish(zone: string): Promise<void> {
  const world = worldOf(service)
  await world.zone(zone)
  const sea = sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900" fill="#8cf"/><rect y="500" width="1200" height="400" fill="#136"/><circle cx="300" cy="200" r="90" fill="#fd3"/></svg>',
    ),
  )
  await world.put(`${zone}/v1/photos/sea.jpg`, await sea.jpeg().toBuffer())
  await world.put(
    `${zone}/v1/logos/logo.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>',
  )
  for (const name of ['one', 'two']) await world.put(`${zone}/v1/old/${name}.txt`, name)
  await world.put(`${zone}/v1/docs/to.txt`, 'to')
}

const onQuestion = () => true

describe.skipIf(!have('an agent’s ten tasks', agentPackage))('an agent’s ten tasks', () => {
  for (const revision of spokenRevisions)
    for (const transport of ['http', 'stdio'] as const)
      test(`over ${transport} in ${revision}`, async () => {
        await using ending = new AsyncDisposableStack()
        const zone = `${transport}-${revision}`
        await furnish(zone)
        const secret = await token()
        const agent =
          transport === 'http'
            ? await connectOverHttp({
                revision,
                onQuestion,
                url: service.url,
                headers: { Authorization: `Bearer ${secret}` },
              })
            : await connectOverStdio({
                revision,
                onQuestion,
                command: [process.execPath, cli, 'mcp', '--url', service.url],
                environment: { PATH: process.env['PATH'] ?? '', SEDGE_TOKEN: secret },
              })
        ending.defer(() => agent.close())
        const done: string[] = []
        for (const { what, run } of tasks) {
          await run(agent, zone)
          done.push(what)
        }
        expect(done).toHaveLength(10)
      }, 120_000)
})
