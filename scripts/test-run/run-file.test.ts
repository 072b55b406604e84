import { expect, test } from 'bun:test'

import { readOutput } from './run-file.ts'

const said = (lines: readonly string[]): string =>
  ['bun test v1', ...lines, 'Ran 1 test'].join('\n')

test('what a file says of its tests is counted', () => {
  expect(readOutput(said([' 12 pass', ' 0 fail']), 0)).toMatchObject({ passed: 12, failed: 0 })
  expect(readOutput(said([' 12 pass', ' 2 fail']), 1)).toMatchObject({ passed: 12, failed: 2 })
})

test('a file that did not end well failed, whatever it said', () => {
  expect(readOutput(said([' 12 pass', ' 0 fail', ' 1 error']), 1)).toMatchObject({ failed: 1 })
  expect(readOutput('', 137)).toMatchObject({ passed: 0, failed: 1 })
})

test('a file without a test failed, unless it says why', () => {
  expect(readOutput(said([' 0 pass', ' 0 fail']), 0)).toMatchObject({ failed: 1 })
  const reason = 'skipped: pages: needs Chromium (apt-get install chromium)'
  const skipping = readOutput(said([reason, ' 0 pass', ' 0 fail']), 0)
  expect(skipping).toMatchObject({ failed: 0, skipped: [reason] })
})

test('a skipped test without a reason is told of too', () => {
  const skipping = readOutput(said([' 3 pass', ' 2 skip', ' 0 fail']), 0)
  expect(skipping).toMatchObject({ passed: 3, failed: 0, skipped: ['skipped: 2 tests'] })
})
