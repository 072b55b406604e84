import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { untilResponding } from '../support/child-program.ts'
import { readDeployFile, readYaml } from '../support/deploy-files.ts'
import { startEdge } from '../support/edge-process.ts'
import { freePort } from '../support/free-port.ts'
import { runGit } from '../support/git-client.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[]
}

test('what is watched is there, on a URL of its own', async () => {
  await using directory = await temporaryDirectory()
  const port = await freePort()
  const remote = join(directory.path, 'mirror.git')
  await runGit(directory.path, 'init', '-q', '--bare', '--initial-branch=main', remote)
  await using service = await startService({
    dataDirectory: directory.path,
    environment: { METRICS_PORT: String(port), GIT_REMOTE: remote },
  })
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).text()
  const file = { method: 'PUT', headers: access, body: 'hello' }
  await (await fetch(`${service.url}/api/storage/acme/v1/icons/a.txt`, file)).text()

  expect(await ask('/live')).toEqual({ status: 200, text: 'live\n' })
  expect((await ask('/')).status).toBe(404)
  expect((await ask('/metrics', { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${service.url}/live`)).status).toBe(404)

  const made = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: '{"name":"edge","scopes":["edges:sync"]}',
  })
  const { token } = (await made.json()) as { readonly token: string }
  const edgePort = await freePort()
  await using _edge = await startEdge({
    origin: service.url,
    token,
    name: 'edge-1',
    directory: `${directory.path}/edge`,
    environment: { METRICS_PORT: String(edgePort) },
  })
  // An edge says that it is ready a moment before it answers there.
  await untilResponding(() => fetch(`http://127.0.0.1:${edgePort}/live`))
  expect(await (await fetch(`http://127.0.0.1:${edgePort}/live`)).text()).toBe('live\n')
  const ofEdge = await (await fetch(`http://127.0.0.1:${edgePort}/metrics`)).text()

  const { text } = await ask('/metrics')
  expect(text).toContain('sedge_api_answers_total{plane="storage",status="201"} 1\n')
  const typeByName = new Map(
    [...`${text}\n${ofEdge}`.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map(
      ([, name = '', type = '']) => [name, type],
    ),
  )
  for (const name of await watchedNames())
    expect([name, typeByName.get(familyOf(name, typeByName))]).not.toContain(undefined)
})

/** Every name in the dashboard and in the alerts. */
async function watchedNames(): Promise<ReadonlySet<string>> {
  const { panels } = JSON.parse(await readDeployFile('grafana/sedge.json')) as Dashboard
  const [rules] = await readYaml<Rules>('prometheus/sedge.rules.yml')
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets),
    ...(rules?.groups ?? []).flatMap((group) => group.rules),
  ].map(({ expr }) => expr)
  const names = expressions.flatMap(
    (text) => text.match(/\b(?:sedge|process|nodejs)_[a-z_]+/gu) ?? [],
  )
  expect(names.length).toBeGreaterThan(20)
  return new Set(names)
}

/** The histogram that a series belongs to, or the name as it is. */
function familyOf(name: string, typeByName: ReadonlyMap<string, string>): string {
  const family = name.replace(/_(?:bucket|sum|count)$/u, '')
  return typeByName.get(family) === 'histogram' ? family : name
}
