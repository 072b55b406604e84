import { expect, test } from 'bun:test'

import type {
  LinePosition,
  RequestKind,
  RequestLine,
  RequestLogStore,
} from './request-log-store.ts'

export interface RequestLogs extends AsyncDisposable {
  readonly requests: RequestLogStore
}

/** What every RequestLogStore must do; `open` makes one with room for `maxBytes` of each kind. */
export function requestLogStoreContract(
  name: string,
  open: (maxBytes: number) => Promise<RequestLogs>,
): void {
  test(`${name}: a line comes back as it was given, among those of its kind`, async () => {
    await using logs = await open(mebibyte)
    const full: RequestLine = {
      ...lineOf({ status: 404, path: '/a\nb "ü" \u2028' }),
      cache: 'hit',
      by: { kind: 'token', id: 'token:1', name: 'ci' },
      headers: { accept: '*/*' },
    }
    await logs.requests.append([full, lineOf({ status: 200 }), lineOf({ status: 500 })])

    expect(await linesOf(logs, 'missing')).toEqual([full])
    expect(await pathsOf(logs, 'delivered')).toHaveLength(1)
    expect(await pathsOf(logs, 'failed')).toHaveLength(1)
    expect(await pathsOf(logs, 'refused')).toEqual([])
  })

  test(`${name}: the last written comes first, and reading goes on before a position`, async () => {
    await using logs = await open(mebibyte)
    await logs.requests.append(numbered(0, 500))
    await logs.requests.append(numbered(500, 1_000))
    const all = await pathsOf(logs, 'delivered')
    expect(all).toEqual(
      numbered(0, 1_000)
        .map(({ path }) => path)
        .toReversed(),
    )

    const positions = await positionsOf(logs)
    expect(await pathsOf(logs, 'delivered', positions[700])).toEqual(all.slice(701))
    expect(await pathsOf(logs, 'delivered', positions.at(-1))).toEqual([])
  })

  test(`${name}: of a kind no more is kept than there is room, and of another kind all`, async () => {
    await using logs = await open(mebibyte)
    await logs.requests.append([lineOf({ status: 503, path: '/the-fault' })])
    for (let first = 0; first < 20_000; first += 1_000)
      await logs.requests.append(numbered(first, first + 1_000))

    const kept = await pathsOf(logs, 'delivered')
    expect(kept[0]).toBe('/19999')
    expect(kept.length).toBeGreaterThan(3_000)
    expect(kept.length).toBeLessThan(12_000)
    expect(await pathsOf(logs, 'failed')).toEqual(['/the-fault'])
  })

  test(`${name}: what is older than a moment is forgotten, a position in it leads nowhere`, async () => {
    await using logs = await open(mebibyte)
    await logs.requests.append(numbered(0, 10))
    const [position] = await positionsOf(logs)
    await logs.requests.forgetBefore(new Date(Date.now() + 60_000))

    expect(await pathsOf(logs, 'delivered')).toEqual([])
    expect(await pathsOf(logs, 'delivered', position)).toEqual([])
    await logs.requests.append(numbered(10, 12))
    expect(await pathsOf(logs, 'delivered')).toEqual(['/11', '/10'])
    expect(await pathsOf(logs, 'delivered', position)).toEqual([])
  })
}

const mebibyte = 2 ** 20

export const lineOf = (fields: Partial<RequestLine>): RequestLine => ({
  at: Date.UTC(2026, 3, 1),
  method: 'GET',
  path: '/acme/v1/icons/logo.svg',
  status: 200,
  ms: 0.4,
  bytes: 1_200,
  zone: 'acme',
  country: 'DE',
  ...fields,
})

const numbered = (first: number, end: number): readonly RequestLine[] =>
  Array.from({ length: end - first }, (_, place) =>
    lineOf({ at: first + place, path: `/${first + place}` }),
  )

async function storedOf({ requests }: RequestLogs, kind: RequestKind, before?: LinePosition) {
  const found = []
  for await (const batch of requests.read(kind, before)) found.push(...batch)
  return found
}

const linesOf = async (logs: RequestLogs, kind: RequestKind, before?: LinePosition) =>
  (await storedOf(logs, kind, before)).map(({ text }) => JSON.parse(text) as RequestLine)

const pathsOf = async (logs: RequestLogs, kind: RequestKind, before?: LinePosition) =>
  (await linesOf(logs, kind, before)).map(({ path }) => path)

const positionsOf = async (logs: RequestLogs) =>
  (await storedOf(logs, 'delivered')).map(({ position }) => position)
