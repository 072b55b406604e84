import { expect, test } from 'bun:test'

import { explainRules } from './explain-rules.ts'

const files = {
  headers: '/other\n X: 0\n/a/*\n X: :splat\n ! ETag\n',
  redirects: '/first/* /x\n/a/* /de/:splat 302 Country=de\n/a/:name /b/:name\n/z/* /z\n',
}

test('each rule is told with what came of it, with its captures, and the fields before and after', () => {
  const told = explainRules(files, 'https://cdn.example/a/c', { fields: [['ETag', '"e"']] })

  expect(told?.redirects.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'path-differs'],
    [2, 'condition-not-met'],
    [3, 'matched'],
    [4, 'not-reached'],
  ])
  expect(told?.redirects[2]?.captures).toEqual({ name: 'c' })
  expect(told?.action).toEqual({ kind: 'redirect', status: 302, location: '/b/c' })
  expect(told?.headers.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'path-differs'],
    [3, 'matched'],
  ])
  expect(told?.fieldsBefore).toEqual([['ETag', '"e"']])
  expect(told?.fieldsAfter).toEqual([['x', 'c']])
})

test('a client can be assumed', () => {
  const told = explainRules(files, 'https://cdn.example/a/c', { country: 'de' })
  expect(told?.action).toMatchObject({ location: '/de/c' })
})

test('no files mean no rules, and what is no web URL is not explained', () => {
  const none = { headers: undefined, redirects: undefined }
  expect(explainRules(none, 'https://x.example/')).toMatchObject({ redirects: [], headers: [] })
  expect(explainRules(none, '/relative')).toBeUndefined()
  expect(explainRules(none, 'file:///etc/passwd')).toBeUndefined()
})
