import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import baseline from '../fixtures/conformance/baseline.json'
import { startConformanceService } from '../fixtures/conformance/conformance-service.ts'
import { type Revision, spokenRevisions } from '../support/agent-client.ts'
import { conformanceSuite, runConformance, withCredential } from '../support/conformance-suite.ts'
import { have } from '../support/needs.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

/** The scenarios that are about any server; the others call tools and read resources by the suite's own names. */
const ofAnyServer: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'completion-complete',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'completion-complete',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
}

/** As many as the suite has, so that one that runs fewer is noticed. */
const scenarios: Readonly<Record<Revision, number>> = { '2025-11-25': 33, '2026-07-28': 50 }

const allowed = 600_000

describe.skipIf(!have('conformance of /mcp', conformanceSuite))('conformance of /mcp', () => {
  const closing = new AsyncDisposableStack()
  let service: ReturnType<typeof withCredential>

  beforeAll(async () => {
    const directory = closing.use(await temporaryDirectory())
    const { url } = closing.use(await startService({ dataDirectory: directory.path }))
    service = closing.use(withCredential(url))
  })
  afterAll(() => closing.disposeAsync())

  test.each(spokenRevisions)(
    'every scenario of %s, with tools by the suite’s names, fails only where the baseline says so',
    async (revision) => {
      await using fixture = startConformanceService()
      await using front = withCredential(fixture.url)
      const outcomes = await runConformance({ url: front.url, revision })
      const expected: Readonly<Record<string, string>> = baseline[revision]
      const unexpected = [...outcomes].filter(
        ([name, failed]) => failed.length > 0 && !(name in expected),
      )
      expect(unexpected).toEqual([])
      const passed = Object.keys(expected).filter((name) => outcomes.get(name)?.length === 0)
      expect(passed).toEqual([])
      const missing = Object.keys(expected).filter((name) => !outcomes.has(name))
      expect(missing).toEqual([])
      expect(outcomes.size).toBe(scenarios[revision])
    },
    allowed,
  )

  test.each(
    spokenRevisions.flatMap((revision) =>
      ofAnyServer[revision].map((scenario) => [revision, scenario] as const),
    ),
  )(
    'the service itself, %s: %s',
    async (revision, scenario) => {
      const outcomes = await runConformance({ url: service.url, revision, scenario })
      expect([...outcomes]).toEqual([[scenario, []]])
    },
    allowed,
  )
})
