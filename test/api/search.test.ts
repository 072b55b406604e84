import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'

let service: InProcessService

const paths = [
  'acme/v1/icons/settings-cog.svg',
  'acme/v1/icons/trash.svg',
  'acme/v1/logos/acme-logo.svg',
  'acme/v1/banners/summer-sale.txt',
  'acme/v1/private/secret-plan.txt',
  'other/v1/icons/settings.svg',
]

beforeAll(async () => {
  service = await openInProcess({ environment: { BASE_URL: 'https://cdn.example.org' } })
  await service.createZone('acme')
  await service.createZone('other')
  for (const path of paths) await service.storage('PUT', path, { body: `<svg>${path}</svg>` })
})

afterAll(() => service[Symbol.asyncDispose]())

// Each question comes from an address of its own, so that no test uses up another's quota.
const search = async (query: string, headers: Record<string, string> = {}) => {
  const response = await service.fetch(`/api/search?${query}`, { headers })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const found = async (query: string, headers?: Record<string, string>): Promise<string[]> =>
  (await search(query, headers)).body.results.map(({ path }: { path: string }) => path)

test('an answer is what the description says, without any key', async () => {
  const { status, body } = await search('q=settings-cog.svg&limit=1')

  expect(status).toBe(200)
  expect(body).toEqual({
    HttpCode: 200,
    Message: expect.any(String),
    query: 'settings-cog.svg',
    count: 1,
    mode: expect.stringMatching(/^(?:vector|hybrid|fuzzy)$/u),
    limit: 1,
    matched: 1,
    confidence: 'high',
    degraded: expect.any(Boolean),
    results: [
      {
        name: 'settings-cog.svg',
        path: 'acme/v1/icons/settings-cog.svg',
        project: 'acme',
        category: 'icons',
        format: 'svg',
        size: 41,
        score: 1,
        confidence: 'high',
        foundBy: ['name'],
        type: 'image/svg+xml',
        url: 'https://cdn.example.org/acme/v1/icons/settings-cog.svg',
      },
    ],
  })
})

test('without a question it is refused in the flat envelope', async () => {
  for (const query of ['', 'q=', 'q=%20%00', 'q=a&limit=many']) {
    const { status, body } = await search(query)
    expect(status).toBe(400)
    expect(body.code).toBe('InvalidParameter')
  }
})

test('a new file is found by name at once, and a deleted one no more', async () => {
  await service.storage('PUT', 'acme/v1/icons/paper-plane.svg', { body: '<svg/>' })
  expect(await found('q=paper-plane')).toContain('acme/v1/icons/paper-plane.svg')
  await service.storage('DELETE', 'acme/v1/icons/paper-plane.svg')
  expect(await found('q=paper-plane')).not.toContain('acme/v1/icons/paper-plane.svg')
})

test('slips of the finger and parts of names find what was meant', async () => {
  for (const question of ['setings cog', 'settigns-cog', 'setti cog'])
    expect((await found(`q=${encodeURIComponent(question)}`))[0]).toBe(paths[0] ?? '')
})

test('filters are exact, and the limit is moved into its range', async () => {
  expect(await found('q=settings&project=other')).toEqual(['other/v1/icons/settings.svg'])
  expect(await found('q=acme&category=logos')).toEqual(['acme/v1/logos/acme-logo.svg'])
  expect(await found('q=settings&format=PNG')).toEqual([])
  expect((await search('q=settings&limit=0')).body.count).toBe(1)
  expect((await search('q=settings&limit=5000')).status).toBe(200)
})

test('scores fall, from 1 to 0, with three decimals at most', async () => {
  const { body } = await search('q=settings')
  const scores: number[] = body.results.map(({ score }: { score: number }) => score)

  expect(scores.length).toBeGreaterThan(1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  for (const score of scores) {
    expect(score).toBeWithin(0, 1.0001)
    expect(score).toBe(Math.round(score * 1000) / 1000)
  }
})

test('what is private is found by nobody, whatever the credential', async () => {
  const secret = 'acme/v1/private/secret-plan.txt'
  for (const headers of [{}, access, account])
    for (const question of ['secret-plan.txt', secret, 'secret'])
      expect(await found(`q=${encodeURIComponent(question)}`, headers)).not.toContain(secret)
})

test('a zone that is disabled or suspended is not searched until it is open again', async () => {
  const path = 'shut/v1/icons/lighthouse.svg'
  await service.createZone('shut')
  await service.storage('PUT', path, { body: '<svg/>' })
  for (const [shut, open] of [
    [{ Enabled: false }, { Enabled: true }],
    [{ Suspended: true }, { Suspended: false }],
  ]) {
    expect(await found('q=lighthouse')).toContain(path)
    await service.core('PATCH', 'zones/shut', shut)
    expect(await found('q=lighthouse')).not.toContain(path)
    expect(await found(`q=${path}`)).not.toContain(path)
    await service.core('PATCH', 'zones/shut', open)
  }
})

test('a token that reaches some zones finds nothing in others', async () => {
  const created = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: { ...account, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'narrow', scopes: ['assets:read'], zones: ['other'] }),
  })
  const { token } = await created.json()

  expect(await found('q=settings', { Authorization: `Bearer ${token}` })).toEqual([
    'other/v1/icons/settings.svg',
  ])
})

test('no question makes the service fail', async () => {
  const questions = [
    'a'.repeat(7_000),
    'settings '.repeat(700),
    'aB1-'.repeat(1_900),
    '-_.'.repeat(2_500),
    '(a+)+$^[[[\\',
    '(?:(?:x+)+)*y{1,99999}\\p{L}',
    `${'x'.repeat(5_000)}!`,
    '\u0001\u0007\u001b[31m\u007f\u009f settings',
    '\u202e\u2066\u200b\ufeff\u00ad',
    'कॉग إعدادات תפריט ตั้งค่า 설정 ゟ ﷽',
    '👩‍👩‍👧‍👦🏳️‍🌈 e\u0301\u0302\u0303',
    '\ufdfa'.repeat(300),
    '\u0000\u0001\u202e\u200b x',
    '设置 齿轮 настройки ⚙️',
    '../../etc/passwd',
    '"; DROP TABLE assets; --',
    '%',
    '\ud800',
  ]
  for (const question of questions) {
    const { status, body } = await search(`q=${encodeURIComponent(question.toWellFormed())}`)
    const isEmpty = /^[\p{C}\p{Z}]*$/u.test(question.toWellFormed())
    expect({ question, status }).toEqual({ question, status: isEmpty ? 400 : 200 })
    if (!isEmpty) expect(body.query).not.toMatch(/\p{Cc}|\p{Cf}/u)
  }
  expect((await search('q=%ff%fe')).status).toBe(200)
  // No address is as long.
  for (const unit of ['a', 'a ', '%00', '(a+)+'])
    expect((await search(`q=${unit.repeat(10_000)}`)).status).toBe(414)
})

test('a deleted zone takes what is found in it along', async () => {
  await service.createZone('passing')
  await service.storage('PUT', 'passing/v1/icons/comet.svg', { body: '<svg/>' })
  expect(await found('q=comet')).toContain('passing/v1/icons/comet.svg')
  await service.core('DELETE', 'zones/passing?confirm=passing')
  expect(await found('q=comet')).not.toContain('passing/v1/icons/comet.svg')
})

test('what is wanted from a score on is told in the query, and what is no score is refused', async () => {
  const good = await search('q=acme/v1/icons/settings-cog.svg&minScore=1')
  expect(good.body.results.map(({ name }: { name: string }) => name)).toEqual(['settings-cog.svg'])
  for (const minScore of ['2', '-1', 'high', '0.', '1e-3', ''])
    expect((await search(`q=cog&minScore=${minScore}`)).status).toBe(400)
})

test('letters without a meaning find nothing, or what is said to be only nearest', async () => {
  const { body } = await search('q=xqzvt%20blorp&limit=50')
  expect(body).toMatchObject({ matched: 0, confidence: 'low' })
  expect(body.results.length).toBeLessThanOrEqual(5)
})
