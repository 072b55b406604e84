import { expect, test } from 'bun:test'

import { isDelivered } from './routes.ts'

const at = (path: string) => isDelivered(`http://cdn.example:8788${path}`)

test('what only the edge can answer is told from what pages and operations may', () => {
  for (const path of ['/acme/v1/logos/a.svg', '/apis', '/docs.svg', '/documents/', '/watching?a=/'])
    expect({ path, isDelivered: at(path) }).toEqual({ path, isDelivered: true })
  for (const path of [
    '/',
    '/?a',
    '/api',
    '/api/docs',
    '/docs',
    '/docs/',
    '/docs?x',
    '/llms.txt',
    '/watch',
  ])
    expect({ path, isDelivered: at(path) }).toEqual({ path, isDelivered: false })
})

test('of what is below /git/, what git asks for is apart from the assets of a zone called git', () => {
  for (const path of ['/git', '/git/', '/git/v1/logos/a.svg', '/git/info/refsx', '/git/HEAD'])
    expect({ path, isDelivered: at(path) }).toEqual({ path, isDelivered: true })
  for (const path of ['/git/info/refs?service=git-upload-pack', '/git/git-upload-pack'])
    expect({ path, isDelivered: at(path) }).toEqual({ path, isDelivered: false })
})

test('the repository of a zone is below its name with .git, and nothing else is', () => {
  const query = '?service=git-upload-pack'
  for (const path of [`info/refs${query}`, 'git-upload-pack', 'git-receive-pack', 'info/lfs/locks'])
    expect({ path, isDelivered: at(`/git/acme.git/${path}`) }).toEqual({ path, isDelivered: false })
  for (const path of [
    'acme.git',
    'acme.git/',
    'acme.git/v1/a.svg',
    'acme.git/info/refs/x',
    'A.git/info/refs',
  ])
    expect({ path, isDelivered: at(`/git/${path}`) }).toEqual({ path, isDelivered: true })
  // A zone may be called `v1`, and one `git`.
  expect(at('/git/v1.git/info/refs')).toBe(false)
  expect(at('/git/v1/logos.git/info/refs')).toBe(true)
})
