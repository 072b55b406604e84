import { expect, test } from 'bun:test'

import { readOrder } from './orders.ts'

test.each([
  ['Purge /acme/v1/a.png', { verb: 'purge', what: '/acme/v1/a.png' }],
  ['Could you please purge zone acme?', { verb: 'purge', what: 'zone acme' }],
  ['clear the cache of acme', { verb: 'purge', what: 'acme' }],
  ['clear the cache', { verb: 'purge', what: 'everything' }],
  [
    'tag all icons in acme with spring, sale and "red"',
    { verb: 'tag', what: 'all icons in acme', tags: ['spring', 'sale', 'red'] },
  ],
  ['add the tag spring to those', { verb: 'tag', what: 'those', tags: ['spring'] }],
  ['remove the tags a and b from it', { verb: 'untag', what: 'it', tags: ['a', 'b'] }],
  [
    'redirect /old to /new',
    { verb: 'redirect', from: '/old', to: '/new', zone: undefined, status: 301 },
  ],
  [
    'Make a redirect from /v1/a.png to https://example.org/b temporarily in zone acme.',
    {
      verb: 'redirect',
      from: '/v1/a.png',
      to: 'https://example.org/b',
      zone: 'acme',
      status: 302,
    },
  ],
  ['set up a redirect from /a to /b (308)', { verb: 'redirect', status: 308 }],
] as const)('%s', (message, order) => {
  expect(readOrder(message)).toMatchObject(order)
})

test.each([
  'How do I purge everything?',
  'What does purge mean?',
  'Purge',
  'Find the icon purge everything',
  'List the purge everything',
  'Show me acme/v1/icons/purge everything.svg',
  'clear my mind',
  'How do I tag a file with a name?',
  'tag it',
  'redirect everything somewhere nice',
  'delete acme/v1/a.png',
  'add a webhook to acme',
  '',
])('%s orders nothing', (message) => {
  expect(readOrder(message)).toBeUndefined()
})
