import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { conformanceProgram, type Revision } from './agent-client.ts'
import type { Need } from './needs.ts'
import { access, temporaryDirectory } from './service-process.ts'

/** The official conformance suite of MCP, as a package. */
export const conformanceSuite: Need = {
  what: '@modelcontextprotocol/conformance',
  howToGetIt: 'npm ci --prefix tools',
  isThere: () => existsSync(conformanceProgram),
}

/** The suite sends no credential, so one is added on the way; `Host` and `Origin` stay as they were sent. */
export function withCredential(url: string) {
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 120,
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
  return {
    url: `http://localhost:${front.port}/mcp`,
    [Symbol.asyncDispose]: () => front.stop(true),
  }
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** What failed of each scenario that was run, by the scenario's name; empty where nothing did. */
export type Outcomes = ReadonlyMap<string, readonly string[]>

interface Run {
  readonly url: string
  readonly revision: Revision
  /** One scenario; left out, all that the suite has for the revision. */
  readonly scenario?: string
}

/** Runs the suite. Rejects where it ran nothing. */
export async function runConformance({ url, revision, scenario }: Run): Promise<Outcomes> {
  await using directory = await temporaryDirectory()
  const which =
    scenario === undefined
      ? ['--requirements', revision]
      : ['--scenario', scenario, '--spec-version', revision]
  const child = Bun.spawn(
    [process.execPath, conformanceProgram, 'server', '--url', url, '-o', '.', ...which].concat(
      // Of one scenario; nothing in it depends on how fast it is.
      ['--timeout', '240000'],
    ),
    { cwd: directory.path, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const found = await outcomesIn(directory.path)
  if (found.size === 0) throw new Error(`the suite ran nothing: ${`${out}\n${error}`.slice(-2000)}`)
  return found
}

/** It leaves `server-<scenario>-<time>/checks.json` for each. */
async function outcomesIn(path: string): Promise<Outcomes> {
  const found = new Map<string, readonly string[]>()
  for (const name of await readdir(path)) {
    const scenario = /^server-(.{1,200})-\d{4}-\d{2}-\d{2}T[\dTZ-]{1,30}$/u.exec(name)?.[1]
    if (scenario === undefined) continue
    const checks = (await Bun.file(join(path, name, 'checks.json')).json()) as readonly Check[]
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    found.set(
      scenario,
      failed.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`),
    )
  }
  return found
}
