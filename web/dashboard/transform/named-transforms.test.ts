import { expect, test } from 'bun:test'

import { readTransforms, withTransform } from './named-transforms.ts'

test('names are read as the service reads them: comments, blank lines and second ones left out', () => {
  const read = readTransforms(
    '# of cards\n\ncard  w=400 h=300&fit=cover  # small\ncard w=1\nBig w=9\nempty\n#no w=2\nround  radius=9 bg=%23fff',
  )
  expect([...read]).toEqual([
    ['card', { w: '400', h: '300', fit: 'cover' }],
    ['round', { radius: '9', bg: '#fff' }],
  ])
})

test('a name that is added is read as it was, whatever is in it', () => {
  const text = withTransform('card w=400', 'mark', { w: '20', bg: '#f00 &', h: undefined, q: '' })
  expect(text).toBe('card w=400\nmark  w=20 bg=%23f00%20%26\n')
  expect(readTransforms(text).get('mark')).toEqual({ w: '20', bg: '#f00 &' })
})
