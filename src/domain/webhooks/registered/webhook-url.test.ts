import { expect, test } from 'bun:test'

import { webhookUrl } from './webhook-url.ts'

test.each([
  ['https://hooks.example', 'https://hooks.example'],
  ['https://hooks.example/a?b=c', 'https://hooks.example/a?b=c'],
  ['HTTPS://Hooks.Example:443/a', 'https://hooks.example/a'],
  ['https://hooks.example/a/../b', 'https://hooks.example/b'],
  ['https://hooks.example/a#part', 'https://hooks.example/a'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://hooks.example/\u202egnp', 'https://hooks.example/%E2%80%AEgnp'],
  ['https://2130706433/', 'https://127.0.0.1/'],
])('%s is kept as it is called', (typed, called) => {
  expect(webhookUrl(typed)).toBe(called)
})

test.each([
  'https://hooks.inva\tlid/\r\nX: 1',
  'https://hooks.example/a\nb',
  ' https://hooks.example/',
  'https://hooks.example/ ',
  'https://hooks.example/a b',
  'https:\\\\hooks.example\\a',
  'https://hooks.example/\u0000',
  'https://hooks.example/\u0085',
])('%p is refused', (typed) => {
  expect(() => webhookUrl(typed)).toThrow('url must not have white space')
})

test('what is no URL is left to who says why', () => {
  expect(webhookUrl('hooks.example')).toBe('hooks.example')
})
