import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import {
  agentPackage,
  connectOverHttp,
  type Revision,
  spokenRevisions,
  type ToolResult,
} from '../support/agent-client.ts'
import { have } from '../support/needs.ts'
import { account } from '../support/service-process.ts'

let service: InProcessService
const quota = 40

beforeAll(async () => {
  service = await openInProcess({
    environment: { AGENT_CALLS_PER_MINUTE: String(quota), SEARCHES_PER_MINUTE: '1' },
  })
  await service.createZone('acme')
  await service.storage('PUT', 'acme/v1/docs/a.txt', { body: 'hello' })
})

afterAll(() => service[Symbol.asyncDispose]())

async function authorization(): Promise<{ readonly Authorization: string }> {
  const response = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'agent', scopes: ['assets:read', 'storage:read'] }),
  })
  return { Authorization: `Bearer ${((await response.json()) as { token: string }).token}` }
}

const fetch = (url: string | URL, init?: RequestInit) => service.fetch(new URL(url).pathname, init)

const connect = async (revision: Revision) =>
  await connectOverHttp({ revision, headers: await authorization(), fetch })

const read = { name: 'read_file', arguments: { path: 'acme/v1/docs/a.txt' } }
const refusalIn = ({ content }: ToolResult) => JSON.parse(content[0]?.text ?? '{}')

describe.skipIf(!have('bounds of agents', agentPackage))('with the official client', () => {
  test.each(spokenRevisions)(
    'in %s a used-up limit is an error of the tool, and costs another token nothing',
    async (revision) => {
      await using closing = new AsyncDisposableStack()
      const greedy = await connect(revision)
      closing.defer(() => greedy.close())
      const results: ToolResult[] = []
      for (let count = 0; count < 1000; count += 1) results.push(await greedy.callTool(read))
      expect(results[0]?.isError).toBeUndefined()
      // On a slow machine there are several minutes' worth in it.
      const refused = results.filter(({ isError }) => isError)
      expect(refused.length).toBeGreaterThan(0)
      for (const each of refused) {
        expect(refusalIn(each)).toMatchObject({ status: 429, code: 'limit_reached' })
        expect(refusalIn(each).retryAfterSeconds).toBeGreaterThan(0)
      }

      // From the same network, right after it.
      const other = await connect(revision)
      closing.defer(() => other.close())
      for (let count = 0; count < quota / 2; count += 1)
        expect((await other.callTool(read)).isError).toBeUndefined()
    },
    120_000,
  )

  test('a limit of an operation says how long to wait as well', async () => {
    await using closing = new AsyncDisposableStack()
    const agent = await connect('2026-07-28')
    closing.defer(() => agent.close())
    const search = { name: 'search', arguments: { q: 'a' } }
    // A minute may end between two.
    let refused = await agent.callTool(search)
    for (let count = 0; count < 9 && refused.isError !== true; count += 1)
      refused = await agent.callTool(search)
    expect(refusalIn(refused)).toMatchObject({ status: 429 })
    expect(refusalIn(refused).retryAfterSeconds).toBeGreaterThan(0)
  })
})

test('who does not read what it asked for holds so much, and another token goes on', async () => {
  const call = (headers: Readonly<Record<string, string>>) =>
    service.fetch('/mcp', {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'read_file',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          ...read,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
  const stuck = await authorization()
  const unread: Response[] = []
  for (let count = 0; count < 20; count += 1) unread.push(await call(stuck))
  const refused = await (await call(stuck)).text()
  expect(refused).toContain('"isError":true')
  expect(refused).toContain('retryAfterSeconds')
  const another = await (await call(await authorization())).text()
  expect(another).toContain('hello')
  for (const each of unread) expect(await each.text()).toContain('hello')
  expect(await (await call(stuck)).text()).toContain('hello')
})
