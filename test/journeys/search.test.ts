import { expect, test } from 'bun:test'

import { openInProcess } from '../support/in-process-service.ts'

const settled = async (check: () => Promise<boolean>): Promise<void> => {
  for (let round = 0; round < 600; round += 1) {
    if (await check()) return
    await Bun.sleep(50)
  }
  throw new Error('the model did not get ready')
}

test('pictures are found by meaning with the model that comes in its package', async () => {
  await using service = await openInProcess({ environment: { SEARCH_BY_NAME_ONLY: 'false' } })
  await service.createZone('acme')
  for (const name of ['trash', 'house', 'violin', 'airplane'])
    await service.storage('PUT', `acme/v1/pictures/${name}.txt`, { body: name })
  const ask = async (question: string) =>
    (await service.fetch(`/api/search?q=${encodeURIComponent(question)}`)).json()
  const first = await ask('musical instrument')
  expect(first.degraded).toBe(true)
  expect(first.mode).toBe('fuzzy')
  // The limit is 100 a minute; the log tells of faults without asking.
  let asked = 0
  await settled(async () => {
    asked += 1
    return asked % 20 === 0 && (await ask('musical instrument')).degraded === false
  })

  /** Where the cores are busy the vector of a new question comes too late for its first answer. */
  const byMeaning = async (question: string) => {
    let answer = await ask(question)
    for (let tries = 0; tries < 20 && answer.mode === 'fuzzy'; tries += 1) {
      await Bun.sleep(500)
      answer = await ask(question)
    }
    return answer
  }
  for (const [question, name] of [
    ['musical instrument', 'violin.txt'],
    ['garbage bin', 'trash.txt'],
    ['flying to a holiday', 'airplane.txt'],
  ] as const) {
    const { results, mode } = await byMeaning(question)
    expect({ question, mode, name: results[0]?.name }).toEqual({ question, mode: 'vector', name })
  }
}, 60_000)
