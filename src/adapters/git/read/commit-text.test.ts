import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { commitBody, parseCommitMessage } from './commit-text.ts'

const line = fc.string({ unit: 'binary', maxLength: 30 })

test('whatever a request says, it comes back as one line each and forges nothing', () => {
  fc.assert(
    fc.property(line, line, line, (subject, author, requestId) => {
      const blob = { sha256: '0'.repeat(64), sizeBytes: 0 }
      const body = commitBody({
        mergedId: undefined,
        treeId: '1'.repeat(40),
        parentId: undefined,
        request: { subject, author, requestId },
        seconds: 1,
        changes: [{ kind: 'put', path: 'a b/ü', blob, contentType: 'text/plain; q="1 2"' }],
      }).toString()
      const [headers = '', ...rest] = body.split('\n\n')
      const message = parseCommitMessage(rest.join('\n\n'))

      expect(headers.split('\n').map((header) => header.split(' ')[0])).toEqual([
        'tree',
        'author',
        'committer',
      ])
      expect(headers).toMatch(/\nauthor [^<>\n]+ <[\w.:+@-]+@sedge\.invalid> 1 \+0000\n/u)
      expect(message.contentTypeByPath).toEqual(new Map([['a b/ü', 'text/plain; q="1 2"']]))
      expect(message.subject).not.toBe('')
    }),
  )
})

test('a type that is none, or several, is nobody’s', () => {
  const trailers = [
    'Content-Type: text/plain, text/html clients/z/v1/logos/a.bin',
    'Content-Type: text/html\u0000 clients/z/v1/logos/b.bin',
    'Content-Type: clients/z/v1/logos/c.bin',
    `Content-Type: text/${'x'.repeat(300)} clients/z/v1/logos/d.bin`,
    'Content-Type: text/x-odd clients/z/v1/logos/e.bin',
  ]
  expect(parseCommitMessage(`theirs\n\n${trailers.join('\n')}`).contentTypeByPath).toEqual(
    new Map([['clients/z/v1/logos/e.bin', 'text/x-odd']]),
  )
})

test('a move that is none is left out', () => {
  const trailers = ['Moved: a', 'Moved: a b c', 'Moved:  b', 'Moved: %zz b', 'Moved: a%20b c/d']
  expect(parseCommitMessage(`theirs\n\n${trailers.join('\n')}`).moves).toEqual([
    { from: 'a b', to: 'c/d' },
  ])
})

test('what is plain comes back as it was', () => {
  const body = commitBody({
    mergedId: undefined,
    treeId: '1'.repeat(40),
    parentId: '2'.repeat(40),
    request: { subject: 'put a: b', author: 'token:1', requestId: '7f-1' },
    seconds: 1,
    changes: [],
  }).toString()

  expect(parseCommitMessage(body.slice(body.indexOf('\n\n') + 2))).toEqual({
    subject: 'put a: b',
    requestId: '7f-1',
    contentTypeByPath: new Map(),
    moves: [],
  })
})
