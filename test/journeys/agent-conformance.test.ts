import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { agentPackage, conformanceProgram } from '../support/agent-client.ts'
import { have } from '../support/needs.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'

/**
 * The scenarios of the official conformance suite that are about any server. The others call tools and read
 * resources by the names that a server made for the suite has. It knows no revision newer than 2025-11-25.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

/** The suite sends no credential, so one is added on the way; `Host` and `Origin` stay as they were sent. */
function withCredential(url: string) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch(request) {
      const { pathname } = new URL(request.url)
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries(access)) headers.set(name, value)
      return fetch(new URL(pathname, url), {
        method: request.method,
        headers,
        body: request.body,
        decompress: false,
      })
    },
  })
}

const closing = new AsyncDisposableStack()
let front: ReturnType<typeof withCredential>

beforeAll(async () => {
  const directory = closing.use(await temporaryDirectory())
  const service = closing.use(await startService({ dataDirectory: directory.path }))
  front = withCredential(service.url)
  closing.defer(() => front.stop(true))
})
afterAll(() => closing.disposeAsync())

describe.skipIf(!have('conformance of /mcp', agentPackage))('conformance of /mcp', () => {
  test.each(scenarios)(
    '%s',
    async (scenario) => {
      await using directory = await temporaryDirectory()
      const words = [
        'server',
        '--url',
        `http://localhost:${front.port}/mcp`,
        '--scenario',
        scenario,
      ]
      const child = Bun.spawn([process.execPath, conformanceProgram, ...words], {
        cwd: directory.path,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, error, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      const said = `${out}\n${error}`.slice(-2000)
      expect([exitCode, exitCode === 0 ? '' : said]).toEqual([0, ''])
    },
    60_000,
  )
})
