import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  type AgentClient,
  agentPackage,
  connectOverStdio,
  type Revision,
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

// `sedge mcp` with the official client: what works over HTTP works over stdin and stdout.

const cli = join(import.meta.dir, '../../src/cli/main.ts')
let service: ServiceProcess
const opened = new AsyncDisposableStack()
const logo = 'acme/v1/logos/logo.svg'

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  service = opened.use(
    await startService({
      dataDirectory: directory.path,
      environment: { SEARCHES_PER_MINUTE: '1' },
    }),
  )
  const world = worldOf(service)
  await world.zone('acme')
  await world.put(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
})

afterAll(() => opened.disposeAsync())

async function connect(
  revision: Revision,
  onQuestion?: (message: string) => boolean,
): Promise<AgentClient> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({
      name: 'agent',
      scopes: ['assets:read', 'storage:read', 'storage:write', 'purge:write'],
    }),
  })
  const { token } = (await response.json()) as { token: string }
  return await connectOverStdio({
    revision,
    ...(onQuestion && { onQuestion }),
    command: [process.execPath, cli, 'mcp', '--url', service.url],
    environment: { PATH: process.env['PATH'] ?? '', SEDGE_TOKEN: token },
  })
}

describe.skipIf(!have('agents over stdio', agentPackage))('over stdio', () => {
  for (const revision of spokenRevisions) {
    test(`resources, completions and prompts of ${revision}`, async () => {
      await using closing = new AsyncDisposableStack()
      const agent = await connect(revision)
      closing.defer(() => agent.close())
      expect(agent.getNegotiatedProtocolVersion()).toBe(revision)
      const { resources } = await agent.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(['sedge://acme/v1/'])
      const { contents } = await agent.readResource({ uri: `sedge://${logo}` })
      expect(contents[0]?.mimeType).toBe('image/svg+xml')
      await expect(agent.readResource({ uri: 'sedge://acme/v1/none.txt' })).rejects.toThrow(
        /not found/iu,
      )
      const { completion } = await agent.complete({
        ref: { type: 'ref/resource', uri: 'sedge://{zone}/{+path}' },
        argument: { name: 'path', value: 'v1/lo' },
        context: { arguments: { zone: 'acme' } },
      })
      expect(completion.values).toEqual(['v1/logos/'])
      const { messages } = await agent.getPrompt({
        name: 'publish_folder',
        arguments: { folder: 'spring – “neu”', zone: 'acme' },
      })
      expect(messages[0]?.content.text).toContain('"spring – “neu”"')
    }, 120_000)

    test(`progress, questions and refusals of ${revision}`, async () => {
      await using closing = new AsyncDisposableStack()
      const asked: string[] = []
      let isAgreed = false
      const agent = await connect(revision, (message) => {
        asked.push(message)
        return isAgreed
      })
      closing.defer(() => agent.close())
      const told: (string | undefined)[] = []
      const To = `acme/v1/logos/copy-${revision}.svg`
      await agent.callTool(
        { name: 'copy_files', arguments: { From: logo, To } },
        { onprogress: ({ message }) => told.push(message) },
      )
      expect(told[0]).toContain('begun')

      const purge = { name: 'purge', arguments: { urls: [`/${logo}`] } }
      expect((await agent.callTool(purge)).isError).toBe(true)
      expect(asked[0]).toContain(logo)
      isAgreed = true
      expect((await agent.callTool(purge)).structuredContent).toMatchObject({ Message: 'Purged' })

      const search = { name: 'search', arguments: { q: 'logo' } }
      // A minute may end between two.
      let refused = await agent.callTool(search)
      for (let count = 0; count < 9 && refused.isError !== true; count += 1)
        refused = await agent.callTool(search)
      expect(JSON.parse(refused.content[0]?.text ?? '').retryAfterSeconds).toBeGreaterThan(0)
    }, 120_000)
  }
})
