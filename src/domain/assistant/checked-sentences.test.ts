import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { checkedSentences } from './checked-sentences.ts'

const grounds = {
  sourceCount: 2,
  paths: 'acme/v1/icons/trash.svg /docs/operating#tls /api/search https://named.example',
  urls: 'https://example.org/known',
}

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let place = 0; place < text.length; place += size) yield text.slice(place, place + size)
}

async function checked(text: string, size = 7): Promise<string> {
  let result = ''
  for await (const piece of checkedSentences(cut(text, size), grounds)) result += piece
  return result
}

test('citations of sources that are there stay, others go', async () => {
  expect(
    await checked('One [1]. Two [2][3]. Three [9]. Four [1, 4, 2]. Five 【2】. Six [0].'),
  ).toBe('One [1]. Two [2]. Three. Four [1][2]. Five [2]. Six.')
})

test('a sentence with a URL or a path that no source has is left out', async () => {
  const kept = 'Use acme/v1/icons/trash.svg, see /docs/operating#tls or https://example.org/known. '
  for (const invented of [
    'See https://evil.example/x.',
    'See [this](https://evil.example).',
    'See https://named.example!',
    'See //evil.example/x!',
    'Go to www.evil.example now.',
    'Go to evil.example/login now.',
    '![x](javascript:alert(1)).',
    'Use acme/v1/icons/invented.svg.',
    'Use `/api/invented`.',
    'Use other/logos/x.png?',
    'Mail mailto:a@evil.example.',
  ])
    for (const size of [1, 5, 1_000])
      expect({
        invented,
        text: await checked(`${kept}${invented} And that is all.`, size),
      }).toEqual({ invented, text: `${kept}And that is all.` })
})

test('what looks a little like a path stays', async () => {
  const text = 'Yes and/or no, image/webp at 24/7; either is TCP/IP. 3.5 is 7/2!'
  expect(await checked(text)).toBe(text)
})

test('what a model thinks to itself is not for readers, however it is cut', async () => {
  const text = 'A.<think>secret. [1] http://x</think> B.<think>never ends'
  for (const size of [1, 2, 3, 8, 100]) expect(await checked(text, size)).toBe('A. B.')
  expect(await checked('1 < 2 and <thin> air')).toBe('1 < 2 and < thin> air')
})

test('an answer that does not end is cut off', async () => {
  const text = await checked('This goes on. '.repeat(5_000), 500)
  expect(text.length).toBeLessThan(9_500)
})

test('property: nothing invented gets through, however it is written and cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom(
            '[1] ',
            '[7] ',
            'https://evil.example/a ',
            '. ',
            '\n',
            '[2,8]',
            ' <think>',
          ),
          fc.string({ maxLength: 12 }),
        ),
        { maxLength: 30 },
      ),
      fc.integer({ min: 1, max: 20 }),
      async (parts, size) => {
        const text = await checked(parts.join(''), size)
        expect(text).not.toContain('https://evil.example/a ')
        for (const [, number] of text.matchAll(/\[(\d+)\]/gu))
          expect(['1', '2']).toContain(number ?? '')
      },
    ),
    { numRuns: 200 },
  )
})

test('a tag or a link that a model repeats from a name is none any more', async () => {
  expect(await checked('It is <img src=x onerror=alert(1)> there. ')).toBe(
    'It is < img src=x onerror=alert(1)> there. ',
  )
  expect(await checked('See [x](&#106;avascript:alert(1)) there. Where 1 < 2. ')).toBe(
    'See [x] (&#106;avascript:alert(1)) there. Where 1 < 2. ',
  )
})
