import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createRowLists } from './row-lists.ts'

const changes = fc.array(fc.record({ list: fc.nat(4), row: fc.nat(20) }), { maxLength: 100 })

test('rows that are appended are there in the order in which they came', () => {
  fc.assert(
    fc.property(changes, (rows) => {
      const lists = createRowLists()
      for (const { list, row } of rows) lists.append(list, row)
      for (let list = 0; list < 6; list += 1)
        expect([...lists.of(list)]).toEqual(
          rows.filter((each) => each.list === list).map(({ row }) => row),
        )
    }),
  )
})

test('rows that are inserted are there once, and in order', () => {
  fc.assert(
    fc.property(changes, (rows) => {
      const lists = createRowLists()
      for (const { list, row } of rows) lists.insert(list, row)
      for (let list = 0; list < 6; list += 1) {
        const own = new Set(rows.filter((each) => each.list === list).map(({ row }) => row))
        expect([...lists.of(list)]).toEqual([...own].toSorted((a, b) => a - b))
      }
    }),
  )
})
