import { expect, test } from 'bun:test'

import { createTextDictionary, type TextDictionary } from './text-dictionary.ts'

function idsWith(dictionary: TextDictionary, word: string): number[] {
  const masks = new Uint32Array(dictionary.size)
  dictionary.mark({ word, place: 'anywhere', masks, bits: 1 })
  return [...masks.keys()].filter((id) => masks[id] === 1)
}

/** What is left of the steps, at once. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const texts = Array.from({ length: 20_000 }, (_, n) => `text-${n}`)

test('equal texts have one number', () => {
  const dictionary = createTextDictionary()
  expect(dictionary.acquire('a')).toBe(dictionary.acquire('a'))
  expect(dictionary.acquire('A')).not.toBe(dictionary.acquire('a'))
})

test('a text that nobody uses is forgotten by a clean-up, and its number is given anew', () => {
  const dictionary = createTextDictionary()
  const kept = dictionary.acquire('kept')
  const ids = texts.map((text) => dictionary.acquire(text))
  expect(dictionary.needsCleanUp).toBe(false)
  for (const id of ids) dictionary.release(id)
  expect(dictionary.needsCleanUp).toBe(true)

  for (const _ of dictionary.cleanUp()) expect(idsWith(dictionary, 'kept')).toEqual([kept])

  expect(dictionary.needsCleanUp).toBe(false)
  expect(idsWith(dictionary, 'te')).toEqual([])
  expect(ids).toContain(dictionary.acquire('new'))
})

test('a text that is used again during a clean-up stays', () => {
  const dictionary = createTextDictionary()
  for (const id of texts.map((text) => dictionary.acquire(text))) dictionary.release(id)
  const steps = dictionary.cleanUp()[Symbol.iterator]()
  steps.next()

  const again = [texts[0], texts.at(-1)].map((text) => dictionary.acquire(text as string))
  while (steps.next().done !== true);

  expect(idsWith(dictionary, 'text-').sort((a, b) => a - b)).toEqual(again.sort((a, b) => a - b))
  expect(dictionary.acquire(texts[0] as string)).toBeOneOf(again)
})

test('ranks are the order of the texts', () => {
  const dictionary = createTextDictionary()
  const ids = ['b', 'c', 'a'].map((text) => dictionary.acquire(text))
  const ranks = finished(dictionary.ranks())
  expect(ids.map((id) => ranks[id])).toEqual([1, 2, 0])
})

test('texts that come and go while ranks are made have no part in them', () => {
  const dictionary = createTextDictionary()
  const ids = texts.map((text) => dictionary.acquire(text))
  const steps = dictionary.ranks()
  steps.next()
  const leaving = ids.slice(0, 3_000)
  for (const id of leaving) dictionary.release(id)
  for (const _step of dictionary.cleanUp());
  dictionary.acquire('later')
  const ranks = finished(steps)

  const left = ids.slice(3_000)
  const inOrder = left.toSorted((a, b) => ranks[a]! - ranks[b]!)
  expect(inOrder.map((id) => texts[id])).toEqual(texts.slice(3_000).toSorted())
})

test('new texts are made ready to be found by their words in steps, and are found before that too', () => {
  const dictionary = createTextDictionary()
  const ids = texts.map((text) => dictionary.acquire(text))
  const steps = dictionary.catchUp()[Symbol.iterator]()
  expect(steps.next().done).toBe(false)

  const later = dictionary.acquire('later')
  expect(idsWith(dictionary, 'late')).toEqual([later])
  expect(idsWith(dictionary, 'text-')).toEqual(ids)
  expect(steps.next().done).toBe(true)
  expect(idsWith(dictionary, 'text-')).toEqual(ids)
})

test('a text that is forgotten before it could be found by its words is not found', () => {
  const dictionary = createTextDictionary()
  const ids = texts.map((text) => dictionary.acquire(text))
  for (const id of ids) dictionary.release(id)
  for (const _ of dictionary.cleanUp());
  const again = dictionary.acquire('again')

  expect(idsWith(dictionary, 'text')).toEqual([])
  expect(idsWith(dictionary, 'again')).toEqual([again])
})
