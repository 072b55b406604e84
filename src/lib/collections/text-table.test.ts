import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createTextTable } from './text-table.ts'

test('what is added, replaced and deleted is found as a map finds it', () => {
  const change = fc.record({
    text: fc.oneof(fc.constantFrom('a', 'b', 'ä', ''), fc.string({ maxLength: 3 })),
    kind: fc.constantFrom('set', 'set', 'delete'),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), fc.integer(), (changes, seed) => {
      const texts: string[] = []
      const table = createTextTable({ textOf: (number) => texts[number] ?? '', seed })
      const map = new Map<string, number>()
      for (const { text, kind } of changes) {
        if (kind === 'delete') {
          expect(table.delete(text)).toBe(map.delete(text))
          continue
        }
        const number = texts.push(text) - 1
        if (map.has(text)) table.replace(text, number)
        else table.add(text, number)
        map.set(text, number)
      }
      expect(table.size).toBe(map.size)
      for (const text of [...texts, 'never']) expect(table.find(text)).toBe(map.get(text))
    }),
  )
})

test('room that deleted texts leave is used again', () => {
  const texts: string[] = []
  const table = createTextTable({ textOf: (number) => texts[number] ?? '', seed: 1 })
  for (let number = 0; number < 5_000; number += 1) {
    texts[number] = `text-${number}`
    table.add(`text-${number}`, number)
    if (number >= 3) table.delete(`text-${number - 3}`)
  }
  expect(table.size).toBe(3)
  expect(table.find('text-4999')).toBe(4_999)
  expect(table.find('text-1')).toBeUndefined()
})

test('texts that are alike are spread over the table', () => {
  const texts = Array.from({ length: 100_000 }, (_, number) => `zone/v1/icons/icon-${number}.svg`)
  let looks = 0
  const table = createTextTable({
    seed: 7,
    textOf(number) {
      looks += 1
      return texts[number] ?? ''
    },
  })
  for (const [number, text] of texts.entries()) table.add(text, number)
  for (const text of texts) table.find(text)
  expect(looks).toBeLessThan(texts.length * 1.01)
})
