import { expect, test } from 'bun:test'

import { patientResponse } from './patient-response.ts'

function openPatience() {
  const waiting = new Set<() => void>()
  const pass = () => {
    const due = [...waiting]
    waiting.clear()
    for (const run of due) run()
  }
  return {
    pass,
    waiting,
    after: (_: number, run: () => void) => {
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    errorDocument: () => '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>Late</Code></Error>',
  }
}

const result = { root: 'Result', content: { Key: 'a' }, headers: { 'x-amz-version-id': 'v' } }

test('what ends soon has its own fields, and what fails soon fails', async () => {
  const patience = openPatience()
  const response = await patientResponse(Promise.resolve(result), patience)
  expect(response.headers.get('x-amz-version-id')).toBe('v')
  expect(await response.text()).toEndWith('<Key>a</Key></Result>')
  const failure = new Error('refused')
  expect(await patientResponse(Promise.reject(failure), patience).catch((e: unknown) => e)).toBe(
    failure,
  )
  expect(patience.waiting.size).toBe(0)
})

for (const isWell of [true, false])
  test(`what takes long is a document with spaces until it ${isWell ? 'ends' : 'fails'}`, async () => {
    const patience = openPatience()
    const { promise, resolve, reject } = Promise.withResolvers<typeof result>()
    const responded = patientResponse(promise, patience)
    patience.pass()
    const response = await responded
    patience.pass()
    patience.pass()
    if (isWell) resolve(result)
    else reject(new Error('late'))
    const text = await response.text()

    expect(response.status).toBe(200)
    expect(text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n  <')
    expect(text).toEndWith(isWell ? '<Key>a</Key></Result>' : '<Error><Code>Late</Code></Error>')
    expect(patience.waiting.size).toBe(0)
  })
