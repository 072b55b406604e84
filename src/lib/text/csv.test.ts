import { expect, test } from 'bun:test'

import { csv } from './csv.ts'

test('what has commas, quotation marks or lines is quoted, and nothing is a formula', () => {
  const rows = [
    ['acme/v1/a, "b".svg', 3, null],
    ['=1+1', -2, 'x\ny'],
  ]
  expect(csv(['Path', 'Requests', 'Note'], rows)).toBe(
    'Path,Requests,Note\r\n"acme/v1/a, ""b"".svg",3,\r\n\'=1+1,-2,"x\ny"\r\n',
  )
})
