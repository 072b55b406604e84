import { expect, test } from 'bun:test'

import { openInProcess } from '../support/in-process-service.ts'

test('how long a zone keeps its history is set in days, and apart from who sees it', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const patch = async (body: object) => {
    const response = await service.core('PATCH', 'zones/acme', body)
    const { History, HistoryDays } = (await response.json()) as Readonly<Record<string, unknown>>
    return response.status === 200 ? { History, HistoryDays } : response.status
  }

  expect(await patch({ HistoryDays: 90 })).toEqual({ History: 'off', HistoryDays: 90 })
  expect(await patch({ History: 'public' })).toEqual({ History: 'public', HistoryDays: 90 })
  expect(await patch({ History: '7d' })).toEqual({ History: 'public', HistoryDays: 7 })
  expect(await patch({ History: 'off', HistoryDays: 1 })).toEqual({
    History: 'off',
    HistoryDays: 1,
  })
  expect(await patch({ HistoryDays: null })).toEqual({ History: 'off', HistoryDays: null })
  for (const body of [
    {},
    { HistoryDays: 0 },
    { HistoryDays: 1.5 },
    { HistoryDays: 36_501 },
    { HistoryDays: '90' },
    { History: '0d' },
    { History: '99999d' },
    { History: '-1d' },
    { History: 'd' },
    { History: 'often' },
    { History: '90d', HistoryDays: 30 },
    { History: '90d', HistoryDays: null },
  ])
    expect([body, await patch(body)]).toEqual([body, 400])
  expect(await patch({ Enabled: true })).toEqual({ History: 'off', HistoryDays: null })
})

test('a zone is made with what it is to keep', async () => {
  await using service = await openInProcess()
  const made = await service.core('POST', 'zones', {
    Name: 'acme',
    History: 'signed',
    HistoryDays: 30,
  })
  expect(made.status).toBe(201)
  const zone = await (await service.core('GET', 'zones/acme')).json()
  expect(zone).toMatchObject({ History: 'signed', HistoryDays: 30, HistorySince: null })
  expect((await service.core('POST', 'zones', { Name: 'other', History: 'x' })).status).toBe(400)
})
